"""The prompt of an episode: a conversation that has ended in, what is worth knowing later out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup
from pydantic import BaseModel, Field

from bot.core.domain import Member, Message, MessageKind
from bot.llm import framing
from bot.llm.framing import BYTES_PER_TOKEN, LocalIds, estimated_tokens, lengthened, mentioned_in, shortened
from bot.llm.operation import Operation, Role
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

_TAG_TOKENS: Final = 8
"""What a message's tag takes with its author."""

_MOST_TAGS: Final = 5
_LONGEST_TAG: Final = 40
"""Characters of one tag."""


@dataclass(frozen=True)
class EndedTalk:
    """What the operation is given: a conversation that has ended."""

    messages: Sequence[Message]
    """Oldest first."""
    summary: str
    """What was said up to `covers_up_to`, in short; may be empty."""
    covers_up_to: int
    members: Mapping[int, Member]
    """Everyone known, by id."""
    time_zone: str
    """The guild's, by its IANA name."""

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
        left = tokens - estimated_tokens(self.summary)
        first = len(self.messages)
        while first > max(0, min(self._told, len(self.messages) - _LEAST_SHOWN)):
            left -= _TAG_TOKENS + estimated_tokens(_words(self.messages[first - 1]))
            if left < 0:
                break
            first -= 1
        return first

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: of those who speak, then of members who are mentioned."""
        users = LocalIds("u")
        for message in self.shown:
            users.short(message.user_id)
        known = {*self.members, *(message.user_id for message in self.messages)}
        for text in (self.so_far, *(message.text for message in self.shown)):
            for user_id in mentioned_in(text):
                if user_id in known:
                    users.short(user_id)
        return users

    @cached_property
    def known(self) -> str:
        """All that people wrote, as the prompt has it."""
        return shortened("\n".join([self.so_far, *(message.text for message in self.shown)]), self.users)


class EpisodeText(BaseModel):
    """What a conversation left behind."""

    text: str = Field(description="2 to 4 factual sentences")
    importance: int = Field(default=3, ge=0, le=10, description="from 0 to 10")
    tags: list[str] = Field(default_factory=list, description="up to 5 topics")


def content_of(talk: EndedTalk, left: EpisodeText) -> str:
    """Return the text of `left` with members as `<@id>`, without sensitive matters; it may be empty then.

    Raises `ValueError` for members that were not offered.
    """
    return without_sensitive(_lengthened(talk, left.text)).strip()


def tags_of(left: EpisodeText) -> tuple[str, ...]:
    """Return the topics that are kept."""
    tags = (" ".join(tag.split()).lower()[:_LONGEST_TAG] for tag in left.tags)
    return tuple(dict.fromkeys(tag for tag in tags if without_sensitive(tag)))[:_MOST_TAGS]


def check_text(text: str, users: LocalIds) -> None:
    """Raise `ValueError` for a text that is empty, too long, or names members who are not among `users`."""
    if not text.strip():
        raise ValueError("the text is empty: write 2 to 4 sentences")
    if len(text) > LONGEST_EPISODE:
        raise ValueError(f"the text has {len(text)} characters: {LONGEST_EPISODE} at most")
    if strangers := [one for one in mentioned_in(text) if one not in users]:
        raise ValueError(f"{strangers[0]} is no id of this prompt: write members as they stand there")


def _lengthened(talk: EndedTalk, text: str) -> str:
    return lengthened(" ".join(text.split()), talk.users, known=talk.known)


def _check(given: EndedTalk, answer: EpisodeText) -> None:
    check_text(answer.text, given.users)
    _lengthened(given, answer.text)


def _frame(given: EndedTalk) -> Mapping[str, object]:
    kinds = {message.user_id: message.kind for message in given.shown}
    begins = given.messages[0].timestamp.astimezone(ZoneInfo(given.time_zone))
    return {
        "time": framing.tag("time", f"{begins:%A, %Y-%m-%d %H:%M}"),
        "members": framing.lines(_member(given, user_id, kind) for user_id, kind in kinds.items()),
        "so_far": framing.tag("so_far", shortened(given.so_far, given.users)) if given.so_far else "",
        "messages": framing.lines(
            framing.tag(
                "message",
                shortened(_words(message), given.users),
                by=given.users.short(message.user_id),
            )
            for message in given.shown
        ),
        "characters": EPISODE_CHARACTERS,
        "longest": LONGEST_EPISODE,
    }


def _member(given: EndedTalk, user_id: int, kind: MessageKind) -> Markup:
    member = given.members.get(user_id)
    return framing.tag(
        "member",
        id=given.users.short(user_id),
        name=member.name if member is not None else None,
        kind=None if kind is MessageKind.MEMBER else kind,
    )


def _words(message: Message) -> str:
    words = " ".join([message.text[:_MESSAGE_CHARACTERS], *message.attachments])
    return words if len(message.text) <= _MESSAGE_CHARACTERS else f"{words}…"


def _nothing(_given: EndedTalk) -> EpisodeText:
    return EpisodeText(text="", importance=0)


MAKE_EPISODE: Final[Operation[EndedTalk, EpisodeText]] = Operation(
    name="make_episode",
    role=Role.MEMORY,
    answer=EpisodeText,
    frame=_frame,
    check=_check,
    fallback=_nothing,
    deadline_seconds=30.0,
)
