"""The question about a day: its messages in, what each active member did out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bot.domain import Member, Message, MessageKind
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import mentioned_in, shortened
from bot.language.operation import Operation, Role
from bot.language.tokens import estimated_tokens
from bot.memory.days.extract import DAY_CHARACTERS
from bot.memory.telling_each import TextOf, Texts, check_texts

LONGEST_DAY: Final = 3 * DAY_CHARACTERS
"""A model that writes more about one member has not summed up."""

_MESSAGE_CHARACTERS: Final = 1_200
"""Of a longer message the beginning tells what it was about: pasted logs must not crowd out the talk."""

_TAG_TOKENS: Final = 14
"""What a message's tag takes with author and time."""


@dataclass(frozen=True)
class DayPart:
    """What the operation is given: messages of one day, and whom to tell."""

    day: date
    time_zone: str
    """The guild's, by its IANA name."""
    messages: Sequence[Message]
    """Oldest first."""
    wanted: Sequence[int]
    """The members to tell."""
    members: Mapping[int, Member]
    """Everyone known, by id."""
    earlier: Mapping[int, str] = field(default_factory=dict)
    """What was told of the day up to these messages."""
    channels: Mapping[int, str] = field(default_factory=dict)
    """Names of channels."""

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: of the members to tell first, then of others who speak or are mentioned."""
        users = LocalIds("u")
        for user_id in (*self.wanted, *(message.user_id for message in self.messages)):
            users.short(user_id)
        for text in (*(message.text for message in self.messages), *self.earlier.values()):
            for user_id in mentioned_in(text):
                if user_id in self.members:
                    users.short(user_id)
        return users

    @cached_property
    def known(self) -> str:
        """All that people wrote, as the prompt has it."""
        wrote = "\n".join([*(message.text for message in self.messages), *self.earlier.values()])
        return shortened(wrote, self.users)


def message_tokens(message: Message) -> int:
    """Return about how many tokens a message takes in the prompt."""
    return _TAG_TOKENS + estimated_tokens(_words(message))


def _words(message: Message) -> str:
    words = " ".join([message.text[:_MESSAGE_CHARACTERS], *message.attachments])
    return words if len(message.text) <= _MESSAGE_CHARACTERS else f"{words}…"


def _frame(given: DayPart) -> Mapping[str, object]:
    users = given.users
    # Whoever says something is a member, whatever Discord noted in their name besides.
    kinds = {message.user_id: message.kind for message in given.messages}
    kinds |= {
        message.user_id: message.kind for message in given.messages if message.kind is MessageKind.MEMBER
    }
    people = dict.fromkeys((*given.wanted, *kinds))
    told = [
        framing.tag("so_far", shortened(given.earlier[user_id], users), member=users.short(user_id))
        for user_id in given.wanted
        if user_id in given.earlier
    ]
    return {
        "day": framing.tag("day", f"{given.day.isoformat()}, {given.day:%A}"),
        "members": framing.lines(_member(given, user_id, kinds.get(user_id)) for user_id in people),
        "wanted": ", ".join(users.short(user_id) for user_id in given.wanted),
        "so_far": framing.lines(told),
        "messages": framing.lines(_messages(given)),
        "characters": DAY_CHARACTERS,
    }


def _member(given: DayPart, user_id: int, kind: MessageKind | None) -> Markup:
    member = given.members.get(user_id)
    names = () if member is None else (member.name, member.display_name, member.user_name, *member.aliases)
    others = [name for name in dict.fromkeys(names) if name and member is not None and name != member.name]
    return framing.tag(
        "member",
        id=given.users.short(user_id),
        name=member.name if member is not None else None,
        also_known_as=", ".join(others) or None,
        kind=None if kind is MessageKind.MEMBER else kind,
    )


def _messages(given: DayPart) -> list[Markup]:
    """Return the messages as tags; ids and channels only where they say something."""
    users = given.users
    zone = ZoneInfo(given.time_zone)
    here = {message.message_id for message in given.messages}
    answered = {message.reply_to_id for message in given.messages if message.reply_to_id in here}
    ids = LocalIds("m")
    written = []
    channel_id = None
    for message in given.messages:
        moved = message.channel_id != channel_id
        channel_id = message.channel_id
        written.append(
            framing.tag(
                "message",
                shortened(_words(message), users),
                id=ids.short(message.message_id) if message.message_id in answered else None,
                by=users.short(message.user_id),
                at=f"{message.timestamp.astimezone(zone):%H:%M}",
                channel=given.channels.get(channel_id) if moved else None,
                reply_to=ids.short(message.reply_to_id) if message.reply_to_id in here else None,
            )
        )
    return written


def _check(given: DayPart, answer: Texts) -> None:
    check_texts(answer, given, asked_ids=given.wanted, longest=LONGEST_DAY)


def _fallback(given: DayPart) -> Texts:
    """Keep what was told of the day up to these messages; what is new is not in it."""
    return Texts(
        texts=[
            TextOf(member=given.users.short(user_id), text=shortened(given.earlier[user_id], given.users))
            for user_id in given.wanted
            if user_id in given.earlier
        ]
    )


SUMMARISE_DAY: Final = Operation(
    name="summarise_day",
    role=Role.SUMMARY,
    answer=Texts,
    frame=_frame,
    check=_check,
    fallback=_fallback,
    deadline_seconds=90.0,
)
