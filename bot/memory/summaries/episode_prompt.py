"""The prompt of an episode: takes a conversation that has ended, and returns what is worth knowing later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from pydantic import BaseModel, Field

from bot.core.domain import Message, MessageKind
from bot.llm import framing
from bot.llm.framing import BYTES_PER_TOKEN, LocalIds, estimated_tokens, mentioned_in, shortened
from bot.llm.operation import Operation, Role
from bot.memory.derived.engine import TalkInput, leading, message_tokens, words_of
from bot.memory.derived.grounding import Said
from bot.memory.summaries.extractive import extract_conversation
from bot.text.sensitive import without_sensitive

EPISODE_CHARACTERS: Final = 200
"""About what a model is asked for."""

LONGEST_EPISODE: Final = 2 * EPISODE_CHARACTERS
"""A model that writes more has not summed up; members count as their short ids."""

PROMPT_TOKENS: Final = 580
"""Estimated tokens of messages in one prompt, some 20 usual ones: it must cost little beside the talk.

Of a longer conversation the last messages stand below its summary, and below the sentences that tell most of what
stands in neither.
"""

_EXTRACT_CHARACTERS: Final = 400
"""Of such sentences; they take their room from the messages."""

_LEAST_SHOWN: Final = 5
"""Messages that are shown even if the summary tells of them: what was said last was often what was decided."""

_MESSAGE_CHARACTERS: Final = 800
"""Of a longer message the beginning tells what it was about."""

_HEAD_TOKENS: Final = 2
"""What stands before a message on its line: its author."""

_MOST_TAGS: Final = 5
_LONGEST_TAG: Final = 40
"""Characters of one tag."""


@dataclass(frozen=True, kw_only=True)
class EndedTalk(TalkInput):
    """What the operation is given: a conversation that has ended."""

    summary: str
    """What was said up to `covers_up_to`, in short; may be empty."""
    covers_up_to: int

    @cached_property
    def shown(self) -> Sequence[Message]:
        """What the summary does not tell, or the last of it that fits into the prompt, oldest first."""
        first = self._first_shown(PROMPT_TOKENS)
        if first > self._told:
            first = self._first_shown(PROMPT_TOKENS - _EXTRACT_CHARACTERS // BYTES_PER_TOKEN)
        return self.messages[first:]

    @cached_property
    def so_far(self) -> str:
        """What was said before the messages that are shown; empty where all of them are."""
        between = self.messages[self._told : len(self.messages) - len(self.shown)]
        told = extract_conversation("", between, characters=_EXTRACT_CHARACTERS)
        summary = self.summary if len(self.shown) < len(self.messages) else ""
        return "\n".join(filter(None, [summary, told]))

    @cached_property
    def _told(self) -> int:
        """How many messages the summary tells of."""
        if not self.summary:
            return 0
        return sum(message.message_id <= self.covers_up_to for message in self.messages)

    def _first_shown(self, tokens: int) -> int:
        cost = partial(message_tokens, most=_MESSAGE_CHARACTERS, head=_HEAD_TOKENS)
        fitting = leading(map(cost, reversed(self.messages)), tokens - estimated_tokens(self.summary))
        count = len(self.messages)
        return max(count - fitting, min(self._told, count - _LEAST_SHOWN))

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: of those who speak, then of members who are mentioned."""
        known = {*self.members, *(message.user_id for message in self.messages)}
        named = (user_id for text in self.wrote for user_id in mentioned_in(text) if user_id in known)
        return LocalIds("u", [*(message.user_id for message in self.shown), *named])

    @property
    def told_before(self) -> Sequence[Said]:
        """What was said before the messages that are shown, in short."""
        return [Said(self.so_far)]

    @property
    def wrote(self) -> Sequence[str]:
        """What was said before, and what is shown."""
        return [self.so_far, *(message.text for message in self.shown)]


class EpisodeText(BaseModel):
    """What a conversation left behind."""

    text: str = Field(description="2 to 4 factual sentences")
    importance: int = Field(default=3, ge=0, le=10, description="from 0 to 10")
    tags: list[str] = Field(default_factory=list, description="up to 5 topics")


def content_of(talk: EndedTalk, left: EpisodeText) -> str:
    """Return the text of `left` with members as `<@id>`, without sensitive matters; it may be empty then.

    Raises `ValueError` for members that were not offered.
    """
    return without_sensitive(talk.with_ids(" ".join(left.text.split()))).strip()


def tags_of(left: EpisodeText) -> tuple[str, ...]:
    """Return the topics that are kept."""
    tags = (" ".join(tag.split()).lower()[:_LONGEST_TAG] for tag in left.tags)
    return tuple(dict.fromkeys(tag for tag in tags if without_sensitive(tag)))[:_MOST_TAGS]


def _mend(given: EndedTalk, answer: EpisodeText) -> EpisodeText:
    return answer.model_copy(update={"text": given.fitting(answer.text, longest=LONGEST_EPISODE)})


def _check(given: EndedTalk, answer: EpisodeText) -> None:
    given.check(answer.text, longest=LONGEST_EPISODE)


def _frame(given: EndedTalk) -> Mapping[str, object]:
    kinds: dict[int, MessageKind | None] = {message.user_id: message.kind for message in given.shown}
    return {
        "time": framing.tag("time", given.at(given.messages[0], "%A, %Y-%m-%d %H:%M")),
        "members": given.member_tags(kinds),
        "so_far": framing.tag("so_far", shortened(given.so_far, given.users)) if given.so_far else "",
        "messages": given.talk(
            [(message, words_of(message, most=_MESSAGE_CHARACTERS)) for message in given.shown], form=""
        ),
        "characters": EPISODE_CHARACTERS,
        "longest": LONGEST_EPISODE,
    }


def _nothing(_given: EndedTalk) -> EpisodeText:
    return EpisodeText(text="", importance=0)


MAKE_EPISODE: Final[Operation[EndedTalk, EpisodeText]] = Operation(
    name="make_episode",
    role=Role.MEMORY,
    answer=EpisodeText,
    frame=_frame,
    mend=_mend,
    check=_check,
    fallback=_nothing,
    deadline_seconds=30.0,
)
