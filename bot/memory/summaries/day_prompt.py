"""The prompt of a day: its messages, in parts where they are too many, in, and what each active member did
out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from typing import Final, Self

from markupsafe import Markup

from bot.core.domain import Message, MessageKind
from bot.llm import framing
from bot.llm.framing import LocalIds, shortened
from bot.llm.operation import Asker, Operation, Operations, Role
from bot.memory.derived.engine import TalkInput, leading, message_tokens, words_of
from bot.memory.summaries.extractive import DAY_CHARACTERS, extract_day
from bot.memory.summaries.per_member import AskedInput, MemberText, Texts, checked, tell_asked
from bot.text.sensitive import without_sensitive

PART_TOKENS: Final = 24_000
"""Estimated tokens of messages in one prompt: about 1,500 usual ones, a busy day of a large guild in two or three."""

MOST_SPEAKERS: Final = 100
"""Members that one answer can tell at 300 characters each, before models cut it off."""

_LOOK_BACK: Final = 3
"""A pause is looked for in the last third of a part: further back it would make parts too small."""


def in_parts(
    messages: Sequence[Message],
    tokens: Callable[[Message], int],
    *,
    limit: int = PART_TOKENS,
    most_speakers: int = MOST_SPEAKERS,
) -> list[Sequence[Message]]:
    """Return `messages`, oldest first, in as few parts as hold `limit` tokens and `most_speakers` authors.

    A part ends at the longest pause near its end. A message that is larger alone is a part of its own.
    """
    parts: list[Sequence[Message]] = []
    left = messages
    while left:
        end = leading(map(tokens, left), limit, least=1)
        firsts = {message.user_id: at for at, message in reversed([*enumerate(left)])}
        end = min([end, *sorted(firsts.values())[most_speakers:]])
        if end < len(left):
            end = _quietest(left, end)
        parts.append(left[:end])
        left = left[end:]
    return parts


def _quietest(messages: Sequence[Message], end: int) -> int:
    """Return where the longest pause in the last third before `end` is over."""
    earliest = max(1, end - end // _LOOK_BACK)
    return max(
        range(earliest, end + 1), key=lambda at: (messages[at].timestamp - messages[at - 1].timestamp, at)
    )


LONGEST_DAY: Final = 3 * DAY_CHARACTERS
"""A model that writes more about one member has not summed up."""

_MESSAGE_CHARACTERS: Final = 1_200
"""Of a longer message the beginning tells what it was about: pasted logs must not crowd out the talk."""

_TAG_TOKENS: Final = 14
"""What a message's tag takes with author and time."""


@dataclass(frozen=True, kw_only=True)
class DayPart(TalkInput, AskedInput):
    """What the operation is given: messages of one day, and whom to tell."""

    day: date
    wanted: Sequence[int]
    """The members to tell."""
    earlier: Mapping[int, str] = field(default_factory=dict)
    """What was told of the day up to these messages."""
    channels: Mapping[int, str] = field(default_factory=dict)
    """Names of channels."""

    @property
    def asked_ids(self) -> Sequence[int]:
        """The members to tell."""
        return self.wanted

    def only(self, user_ids: Sequence[int]) -> Self:
        """Return the same messages with these members to tell."""
        return replace(self, wanted=tuple(user_ids))

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: of the members to tell first, then of others who speak or are mentioned."""
        first = [*self.wanted, *(message.user_id for message in self.messages)]
        return LocalIds("u", [*first, *self.mentioned(self.wrote)])

    @property
    def wrote(self) -> Sequence[str]:
        """The messages, and what was told of the day before them."""
        return [*(message.text for message in self.messages), *self.earlier.values()]


day_tokens: Final = partial(message_tokens, most=_MESSAGE_CHARACTERS, tag=_TAG_TOKENS)
"""Returns about how many tokens a message takes in the prompt."""


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
    return given.member_tag(user_id, kind, also_known_as=", ".join(others) or None)


def _messages(given: DayPart) -> list[Markup]:
    """Return the messages as tags; ids and channels only where they say something."""
    here = {message.message_id for message in given.messages}
    answered = {message.reply_to_id for message in given.messages if message.reply_to_id in here}
    ids = LocalIds("m")
    written = []
    channel_id = None
    for message in given.messages:
        moved = message.channel_id != channel_id
        channel_id = message.channel_id
        written.append(
            given.message_tag(
                message,
                words_of(message, most=_MESSAGE_CHARACTERS),
                short_id=ids.short(message.message_id) if message.message_id in answered else None,
                channel=given.channels.get(channel_id) if moved else None,
                reply_to=ids.short(message.reply_to_id) if message.reply_to_id in here else None,
            )
        )
    return written


def _fallback(given: DayPart) -> Texts:
    """Keep what was told of the day up to these messages; what is new is not in it."""
    return given.answer({one: given.earlier[one] for one in given.wanted if one in given.earlier})


SUMMARISE_DAY: Final = Operation(
    name="summarise_day",
    role=Role.SUMMARY,
    answer=Texts,
    frame=_frame,
    check=checked(LONGEST_DAY),
    fallback=_fallback,
    deadline_seconds=90.0,
)


@dataclass(frozen=True, slots=True)
class DayAnswer:
    """What is told of a day by member."""

    texts: Mapping[int, MemberText]
    """An empty one tells that there is nothing that may be told."""
    degraded: bool = False
    """A model was configured and told nothing at all of some part."""
    refused: bool = False
    """Every model refused some part."""

    def __add__(self, later: "DayAnswer") -> "DayAnswer":
        """Return the day told on by what is told of a later part."""
        return DayAnswer(
            texts={**self.texts, **later.texts},
            degraded=self.degraded or later.degraded,
            refused=self.refused or later.refused,
        )


async def tell_part(operations: Operations, part: DayPart, *, asker: Asker) -> DayAnswer:
    """Return what a model tells of the wanted members in this part of a day, and what was told of the others before."""
    told, outcome = await tell_asked(operations, SUMMARISE_DAY, part, asker=asker)
    return DayAnswer(
        texts={one: replace(text, text=without_sensitive(text.text)) for one, text in told.items()},
        degraded=outcome.degraded,
        refused=outcome.refused,
    )


async def with_extracts(told: DayAnswer, messages: Sequence[Message], *, degraded: bool) -> DayAnswer:
    """Return `told` with the most telling sentences of those members of whom no model told anything.

    `degraded` says whether a model was configured, so that these are not the last word.
    """
    spoke = dict.fromkeys(message.user_id for message in messages if message.kind is MessageKind.MEMBER)
    own = [message for message in messages if message.kind is MessageKind.MEMBER]
    extracted = await extract_day(own, [user_id for user_id in spoke if user_id not in told.texts])
    return replace(
        told,
        texts={**told.texts, **{one: MemberText(text, degraded) for one, text in extracted.items()}},
    )
