"""The prompt of a day: its messages, in parts where they are too many, in, and what each active member did
out.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from math import ceil
from typing import Annotated, Final, Self

from markupsafe import Markup
from pydantic import Field

from bot.core.domain import GUILD_SUBJECT, Message, MessageKind
from bot.llm import framing
from bot.llm.framing import LocalIds, mentioned_in, shortened
from bot.llm.lines import PARAGRAPHS
from bot.llm.operation import Asker, Operation, Operations, Role
from bot.memory.derived.checking import names_in
from bot.memory.derived.engine import TalkInput, leading, message_tokens, words_of
from bot.memory.derived.grounding import Said
from bot.memory.summaries.extractive import DAY_CHARACTERS, GROUP_CHARACTERS, extract_day, extract_group
from bot.memory.summaries.group_day import as_said, signed
from bot.memory.summaries.per_member import AskedInput, MemberText, Texts, check_told, tell_asked
from bot.text.sensitive import without_sensitive

PART_TOKENS: Final = 24_000
"""Estimated tokens of messages in one prompt: about 1,500 usual ones, a busy day of a large guild in two or three."""

MOST_ASKED: Final = 100
"""Members that one answer can tell at 300 characters each, before models cut it off."""

_LOOK_BACK: Final = 3
"""A pause is looked for in the last third of a part: further back it would make parts too small."""


def in_parts(
    messages: Sequence[Message], tokens: Callable[[Message], int], *, limit: int = PART_TOKENS
) -> list[Sequence[Message]]:
    """Return `messages`, oldest first, in as few parts as hold `limit` tokens.

    A part ends at the longest pause near its end. A message that is larger alone is a part of its own.
    """
    parts: list[Sequence[Message]] = []
    left = messages
    while left:
        end = leading(map(tokens, left), limit, least=1)
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

_LONGEST_GROUP: Final = 2 * GROUP_CHARACTERS

_MESSAGE_CHARACTERS: Final = 1_200
"""Of a longer message the beginning tells what it was about: pasted logs must not crowd out the talk."""

_HEAD_TOKENS: Final = 3
"""What stands before a message on its line: author and time, an id where it is answered."""


@dataclass(frozen=True, kw_only=True)
class DayPart(TalkInput, AskedInput):
    """What the operation is given: messages of one day, and whom to tell."""

    day: date
    wanted: Sequence[int]
    """The members to tell."""
    earlier: Mapping[int, str] = field(default_factory=dict)
    """What was told of the day up to these messages: of members, and of the group as subject 0."""
    channels: Mapping[int, str] = field(default_factory=dict)
    """Names of channels."""

    @property
    def asked_ids(self) -> Sequence[int]:
        """The members to tell."""
        return self.wanted

    def only(self, user_ids: Sequence[int]) -> Self:
        """Return the part with these members to tell, and those of its messages that concern them."""
        return replace(self, wanted=tuple(user_ids), messages=_concerning(user_ids, self.messages))

    def questions(self, *, most: int = MOST_ASKED) -> list[Self]:
        """Return the part as it is asked: as a whole, or in turn about as few groups as have `most` members each.

        Who speaks most in the same channel is in the same group, so that fewer messages concern two of them.
        """
        if len(self.wanted) <= most:
            return [self] if self.wanted else []
        spoke = Counter((message.user_id, message.channel_id) for message in self.messages)
        home: dict[int, int] = {}
        for (user_id, channel_id), _ in spoke.most_common():
            home.setdefault(user_id, channel_id)
        together = sorted(self.wanted, key=lambda user_id: home.get(user_id, 0))
        size = ceil(len(together) / ceil(len(together) / most))
        return [self.only(together[at : at + size]) for at in range(0, len(together), size)]

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: of the members to tell first, then of others who speak or are mentioned."""
        first = [*self.wanted, *(message.user_id for message in self.messages)]
        return LocalIds("u", [*first, *self.mentioned(self.wrote)])

    @property
    def told_before(self) -> Sequence[Said]:
        """What was told of the day before these messages, as words of those whom it is about."""
        members = (Said(text, one) for one, text in self.earlier.items() if one != GUILD_SUBJECT)
        return [*members, *as_said(self.earlier.get(GUILD_SUBJECT, ""))]

    @property
    def wrote(self) -> Sequence[str]:
        """The messages, and what was told of the day before them."""
        return [*(message.text for message in self.messages), *self.earlier.values()]


_BESIDE: Final = 3
"""Messages before and behind one in its channel without which it may not be understood."""


def _concerning(user_ids: Collection[int], messages: Sequence[Message]) -> list[Message]:
    """Return what these members say, what mentions or answers them, what they answer, and what stands beside."""
    own_ids = {message.message_id for message in messages if message.user_id in user_ids}
    kept = {message.reply_to_id for message in messages if message.message_id in own_ids}
    in_channels: dict[int, list[Message]] = {}
    for message in messages:
        in_channels.setdefault(message.channel_id, []).append(message)
    for here in in_channels.values():
        for at, message in enumerate(here):
            if message.message_id in own_ids or not set(mentioned_in(message.text)).isdisjoint(user_ids):
                kept |= {one.message_id for one in here[max(0, at - _BESIDE) : at + _BESIDE + 1]}
    return [message for message in messages if message.message_id in kept or message.reply_to_id in own_ids]


day_tokens: Final = partial(message_tokens, most=_MESSAGE_CHARACTERS, head=_HEAD_TOKENS)
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
    if GUILD_SUBJECT in given.earlier:
        told.append(framing.tag("so_far", shortened(given.earlier[GUILD_SUBJECT], users), member="group"))
    return {
        "day": framing.tag("day", f"{given.day.isoformat()}, {given.day:%A}"),
        "members": framing.lines(_member(given, user_id, kinds.get(user_id)) for user_id in people),
        "wanted": ", ".join(users.short(user_id) for user_id in given.wanted),
        "so_far": framing.lines(told),
        "messages": given.talk(
            [(message, words_of(message, most=_MESSAGE_CHARACTERS)) for message in given.messages],
            channels=given.channels,
        ),
        "characters": DAY_CHARACTERS,
    }


def _member(given: DayPart, user_id: int, kind: MessageKind | None) -> Markup:
    member = given.members.get(user_id)
    names = () if member is None else (member.name, member.display_name, member.user_name, *member.aliases)
    others = [name for name in dict.fromkeys(names) if name and member is not None and name != member.name]
    return given.member_tag(user_id, kind, also_known_as=", ".join(others) or None)


class DayAnswers(Texts):
    """What is told of one day."""

    group: Annotated[str, PARAGRAPHS] = Field(
        default="", description="what the group decided or plans, one sentence a line"
    )


def _fallback(given: DayPart) -> DayAnswers:
    """Keep what was told of the day up to these messages; what is new is not in it."""
    kept = given.answer({one: given.earlier[one] for one in given.wanted if one in given.earlier})
    return DayAnswers(texts=kept.texts, group=shortened(given.earlier.get(GUILD_SUBJECT, ""), given.users))


def _mend(given: DayPart, answer: DayAnswers) -> DayAnswers:
    told = given.mended(answer, longest=LONGEST_DAY)
    return told.model_copy(
        update={"group": given.fitting(answer.group, longest=_LONGEST_GROUP, whose=GUILD_SUBJECT)}
    )


SUMMARISE_DAY: Final = Operation(
    name="summarise_day",
    role=Role.SUMMARY,
    answer=DayAnswers,
    frame=_frame,
    mend=_mend,
    check=check_told,
    names=names_in,
    fallback=_fallback,
    deadline_seconds=90.0,
)


@dataclass(frozen=True, slots=True)
class DayAnswer:
    """What is told of a day by member, and of the group as subject 0."""

    texts: Mapping[int, MemberText]
    """An empty one tells that there is nothing that may be told."""
    degraded: bool = False
    """A model was configured and told nothing at all of some part."""
    refused: bool = False
    """Every model refused some part."""

    def __add__(self, later: "DayAnswer") -> "DayAnswer":
        """Return the day told on by what is told of a later part; how it felt stands until it felt otherwise."""
        told = {
            one: text if text.mood or one not in self.texts else replace(text, mood=self.texts[one].mood)
            for one, text in later.texts.items()
        }
        return DayAnswer(
            texts={**self.texts, **told},
            degraded=self.degraded or later.degraded,
            refused=self.refused or later.refused,
        )

    def so_far(self, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what is told of these members and of the group, of whom there is anything."""
        told = ((one, self.texts.get(one)) for one in (GUILD_SUBJECT, *user_ids))
        return {one: text.text for one, text in told if text is not None and text.text}


async def tell_part(operations: Operations, part: DayPart, *, asker: Asker) -> DayAnswer:
    """Return what a model tells of the wanted members in this part of a day, and what was told of the others before."""
    told, outcome = await tell_asked(operations, SUMMARISE_DAY, part, asker=asker)
    texts = {
        one: replace(text, text=without_sensitive(text.text), mood=without_sensitive(text.mood))
        for one, text in told.items()
    }
    if group := _group_in(part, outcome.value):
        texts[GUILD_SUBJECT] = MemberText(group, outcome.degraded)
    return DayAnswer(
        texts=texts,
        degraded=outcome.degraded,
        refused=outcome.refused,
    )


def _group_in(part: DayPart, told: DayAnswers) -> str:
    """Return what is told of the group, as far as it is found in what was said, each line signed."""
    if not told.group.strip():
        return ""
    return without_sensitive(signed(part.with_ids(told.group.strip()), part.grounds))


async def with_extracts(told: DayAnswer, messages: Sequence[Message], *, degraded: bool) -> DayAnswer:
    """Return `told` with the most telling sentences of those members of whom no model told anything.

    Of the group too, if no model told any part of the day. `degraded` says whether a model was configured, so that
    these are not the last word.
    """
    is_told = any(not text.degraded for text in told.texts.values()) and degraded
    spoke = dict.fromkeys(message.user_id for message in messages if message.kind is MessageKind.MEMBER)
    own = [message for message in messages if message.kind is MessageKind.MEMBER]
    extracted = dict(await extract_day(own, [user_id for user_id in spoke if user_id not in told.texts]))
    if not is_told and GUILD_SUBJECT not in told.texts and (group := await extract_group(own)):
        extracted[GUILD_SUBJECT] = group
    return replace(
        told,
        texts={**told.texts, **{one: MemberText(text, degraded) for one, text in extracted.items()}},
    )
