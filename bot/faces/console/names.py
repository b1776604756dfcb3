"""What names become in the simulated guild: ids, and mentions inside a text."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final

from bot.domain import DISCORD_EPOCH, Member, mention_of, snowflake_at

# Ids of made-up things look as if these had been created in the years 2016 to 2024.
_OLDEST_ID: Final = snowflake_at(DISCORD_EPOCH + timedelta(days=365))
_NEWEST_ID: Final = snowflake_at(DISCORD_EPOCH + timedelta(days=365 * 9))

# A mention begins at an @ that is no part of an e-mail address, and is not opened as `<@` already.
_AT: Final = re.compile(r"(?<![\w.+\-@<])@")
_GOES_ON: Final = re.compile(r"[\w@]|[.\-]\w")
"""What follows a longer name, or the domain of an address."""


def same_name(name: str) -> str:
    """Return the form in which two spellings of one name are equal."""
    return unicodedata.normalize("NFC", name).casefold()


def id_of(*words: str) -> int:
    """Return the id that goes with these words: always the same, and as large as ids of Discord are."""
    digest = hashlib.blake2b("\0".join(same_name(word) for word in words).encode(), digest_size=8).digest()
    return _OLDEST_ID + int.from_bytes(digest) % (_NEWEST_ID - _OLDEST_ID)


def mentionable(members: Iterable[Member], *, bot_id: int, bot_names: Iterable[str]) -> dict[str, int]:
    """Return who is meant by each name after an @: a user name before a nickname; no name that two share."""
    by_user_name: dict[str, set[int]] = {}
    by_shown_name: dict[str, set[int]] = {}
    for member in members:
        by_user_name.setdefault(same_name(member.user_name), set()).add(member.user_id)
        for name in (member.nickname, member.display_name):
            by_shown_name.setdefault(same_name(name), set()).add(member.user_id)
    found = {same_name(name): bot_id for name in bot_names}
    for names in (by_user_name, by_shown_name):
        for name, user_ids in names.items():
            if name and len(user_ids) == 1:
                found.setdefault(name, next(iter(user_ids)))
    return found


def with_mentions(text: str, user_ids: Mapping[str, int]) -> str:
    """Return `text` with each `@name` of `user_ids` written as Discord does, the longest name first."""
    longest = max(map(len, user_ids), default=0)
    parts: list[str] = []
    done = 0
    for at in _AT.finditer(text):
        if at.start() < done:
            continue
        start = at.end()
        for end in range(min(len(text), start + longest), start, -1):
            user_id = user_ids.get(same_name(text[start:end]))
            if user_id is not None and not _GOES_ON.match(text, end):
                parts += [text[done : at.start()], mention_of(user_id)]
                done = end
                break
    return "".join([*parts, text[done:]])
