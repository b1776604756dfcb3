"""What the people in a prompt are called, so that no two of them can be mistaken for each other."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bot.conversation.names.roster import name_key
from bot.conversation.prompting.scene import KnownMember
from bot.conversation.prompting.shares import NAME_TOKENS, cleaned, clipped
from bot.domain import Member

_MOST_OTHER_NAMES: Final = 5
"""Names that facts give come first; what somebody was called long ago seldom helps."""


def told_apart(members: Sequence[KnownMember], *, bot_name: str) -> dict[int, str]:
    """Return what each member is called; a name that another one or the bot bears gets the user name added."""
    plain = {known.member.user_id: _shown(known.given_name or known.member.name) for known in members}
    user_names = {known.member.user_id: _shown(known.member.user_name) for known in members}
    called = dict(plain)
    while True:
        borne = Counter(name_key(name) for name in (*called.values(), bot_name))
        shared = [
            user_id
            for user_id, name in called.items()
            if borne[name_key(name)] > 1 and name == plain[user_id] and name != user_names[user_id]
        ]
        if not shared:
            return called
        # A nickname may be chosen to look like a name with its user name, so the result is looked at again.
        called |= {user_id: f"{plain[user_id]} ({user_names[user_id]})" for user_id in shared}


def other_names(member: Member, *, called: str) -> str:
    """Return the names by which `member` is known besides the one in `called`, with commas between them."""
    user_name = _shown(member.user_name)
    plain = called.removesuffix(f" ({user_name})")
    told = {name_key(called), name_key(plain)}
    if plain != called:
        told.add(name_key(user_name))
    others: dict[str, str] = {}
    for name in (*member.aliases, member.nickname, member.display_name, member.user_name):
        shown = _shown(name)
        if shown and name_key(shown) not in told:
            others.setdefault(name_key(shown), shown)
    return ", ".join(list(others.values())[:_MOST_OTHER_NAMES])


def _shown(name: str) -> str:
    return clipped(" ".join(cleaned(name).split()), NAME_TOKENS)
