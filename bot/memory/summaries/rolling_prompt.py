"""The prompt of a running conversation: what it said so far and the next messages in, one summary out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from bot.core.domain import Member, Message, MessageKind
from bot.llm import framing
from bot.llm.framing import LocalIds, estimated_tokens, mentioned_in, shortened
from bot.llm.operation import Operation, Role
from bot.memory.derived.prompting import MemberInput, member_tag, mentions, words_of
from bot.memory.summaries.extractive import SUMMARY_CHARACTERS, extract_conversation
from bot.text.sensitive import without_sensitive

LONGEST_SUMMARY: Final = 2_000
"""Characters; a model that writes more has not summed up."""

PROMPT_TOKENS: Final = 8_000
"""Estimated tokens of messages in one prompt: a free-tier model takes 15,000 a minute, all told."""

_MESSAGE_CHARACTERS: Final = (1_200, 600, 300, 150, 75)
"""How much of one message is shown: the longest with which all messages fit into the prompt."""

_TAG_TOKENS: Final = 14
"""What a message's tag takes with author and time."""


@dataclass(frozen=True)
class RollingInput(MemberInput):
    """What the operation is given: a summary, and the messages that are to be folded into it."""

    previous: str
    """The summary to go on from, members as `<@id>`; empty where the messages begin the conversation."""
    messages: Sequence[Message]
    """Oldest first."""
    members: Mapping[int, Member]
    """Everyone known, by id."""
    time_zone: str = "UTC"
    """The guild's, by its IANA name."""
    kept: str = ""
    """The summary as it stands: what no model can better is told on from it."""
    kept_up_to: int = 0
    """The newest message that it tells of."""

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: of those who speak, then of members who are mentioned."""
        first = [*(message.user_id for message in self.messages), *mentioned_in(self.previous)]
        said = (message.text for message in self.messages)
        return LocalIds("u", [*first, *mentions(said, among=self.members)])

    @property
    def wrote(self) -> Sequence[str]:
        """The summary and the messages."""
        return [self.previous, *self.words]

    @cached_property
    def words(self) -> Sequence[str]:
        """What each message says, as much of it as leaves room for all."""
        for characters in _MESSAGE_CHARACTERS:
            words = [words_of(message, most=characters) for message in self.messages]
            if sum(_TAG_TOKENS + estimated_tokens(one) for one in words) <= PROMPT_TOKENS:
                break
        return words


class RolledText(BaseModel):
    """What a conversation said so far."""

    text: str = Field(description="the summary of the conversation so far")


def summary_of(given: RollingInput, rolled: RolledText) -> str:
    """Return the summary with members as `<@id>`, without sensitive matters; it may be empty then.

    Raises `ValueError` for members that were not offered.
    """
    return without_sensitive(given.with_ids(rolled.text.strip()))


def _frame(given: RollingInput) -> Mapping[str, object]:
    zone = ZoneInfo(given.time_zone)
    kinds = {message.user_id: message.kind for message in given.messages}
    kinds |= dict.fromkeys(
        (user_id for user_id in mentioned_in(given.previous) if user_id not in kinds), MessageKind.MEMBER
    )
    begins = given.messages[0].timestamp.astimezone(zone) if given.messages else None
    return {
        "time": framing.tag("time", f"{begins:%A, %Y-%m-%d}") if begins else "",
        "members": framing.lines(
            member_tag(given.users, given.members, user_id, kind) for user_id, kind in kinds.items()
        ),
        "so_far": framing.tag("so_far", shortened(given.previous, given.users)) if given.previous else "",
        "messages": framing.lines(
            framing.tag(
                "message",
                shortened(words, given.users),
                by=given.users.short(message.user_id),
                at=f"{message.timestamp.astimezone(zone):%H:%M}",
            )
            for message, words in zip(given.messages, given.words, strict=True)
        ),
        "characters": SUMMARY_CHARACTERS,
    }


def _check(given: RollingInput, answer: RolledText) -> None:
    given.check(answer.text, longest=LONGEST_SUMMARY)


def _fallback(given: RollingInput) -> RolledText:
    """Go on from the summary as it stands with the sentences that tell most."""
    new = [message for message in given.messages if message.message_id > given.kept_up_to]
    return RolledText(text=extract_conversation(given.kept, new))


ROLL_CONVERSATION: Final[Operation[RollingInput, RolledText]] = Operation(
    name="roll_summary",
    role=Role.MEMORY,
    answer=RolledText,
    frame=_frame,
    check=_check,
    fallback=_fallback,
    deadline_seconds=60.0,
)
