"""The prompt that learns about a member: the profile and the latest turns in, the whole new profile and a
few facts out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup
from pydantic import BaseModel, Field

from bot.core.domain import Member, Message, MessageKind
from bot.llm import framing
from bot.llm.framing import LocalIds, estimated_tokens, shortened
from bot.llm.operation import Operation, Role
from bot.memory.derived.engine import MemberInput, member_tag, mentions
from bot.text.secrets.masking import masked

LONGEST_PROFILE: Final = 1_500
"""Characters: it stands in every reply's prompt."""

LONG_PROFILE: Final = 300
"""From so many characters on, a profile that loses more than half of them was not rewritten but lost."""

MOST_FACTS: Final = 5
"""Facts that one learning brings at most."""

_SAID_CHARACTERS: Final = 1_200
"""Of a longer message the beginning tells what it was about."""

_ANSWER_CHARACTERS: Final = 400
"""Of what the bot said: it only says what the member answers to."""

_TAG_TOKENS: Final = 20


class LearnedFact(BaseModel):
    """A fact that a message tells."""

    message: str = Field(description="id of the member's message that says it, such as m3")
    text: str = Field(description="the fact, in the third person, about the member as @u1")


class LearnedProfile(BaseModel):
    """What the learning operation returns."""

    profile: str = Field(description="the whole new profile, in short paragraphs")
    facts: list[LearnedFact] = Field(default_factory=list, description="at most 5 facts, none is fine")


@dataclass(frozen=True)
class LearningInput(MemberInput):
    """What the operation is given: a member, what is known, and what was said in their turns."""

    user_id: int
    profile: str
    """As it stands, with members as `<@id>`; blank if there is none."""
    messages: Sequence[Message]
    """Oldest first: the member's own, and the bot's answers to them."""
    members: Mapping[int, Member] = field(default_factory=dict)
    """Everyone known, by id."""
    time_zone: str = "UTC"
    """The guild's, by its IANA name."""

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: `u1` is the member, then come those who are mentioned."""
        return LocalIds("u", [self.user_id, *mentions(self.wrote, among=self.members)])

    @cached_property
    def own(self) -> LocalIds:
        """The short ids of the member's own messages; the bot's have none, so nothing can rest on them."""
        own = (message for message in self.messages if message.kind is MessageKind.MEMBER)
        return LocalIds("m", (message.message_id for message in own))

    @property
    def wrote(self) -> Sequence[str]:
        """The profile and the messages."""
        return [self.profile, *(message.text for message in self.messages)]


def shown(message: Message) -> str:
    """Return as much of a message as the prompt has, without the secrets in it."""
    limit = _SAID_CHARACTERS if message.kind is MessageKind.MEMBER else _ANSWER_CHARACTERS
    text = masked(message.text)
    words = " ".join([text[:limit], *map(masked, message.attachments)])
    return words if len(text) <= limit else f"{words}…"


def message_tokens(message: Message) -> int:
    """Return about how many tokens a message takes in the prompt."""
    return _TAG_TOKENS + estimated_tokens(shown(message))


def profile_in(answer: LearnedProfile, given: LearningInput) -> str:
    """Return the profile of an answer with members as `<@id>`; raises `ValueError` for an id that was not offered."""
    return given.with_ids(answer.profile.strip())


def facts_in(answer: LearnedProfile, given: LearningInput) -> list[tuple[int, str]]:
    """Return the facts of an answer: the id of the message that says it, and what it says with members as `<@id>`.

    Raises `ValueError` for ids that were not offered.
    """
    return [(given.own.long(fact.message), given.with_ids(fact.text.strip())) for fact in answer.facts]


def _frame(given: LearningInput) -> Mapping[str, object]:
    people = [given.user_id, *(user_id for user_id in given.members if user_id != given.user_id)]
    return {
        "member": given.users.short(given.user_id),
        "members": framing.lines(
            member_tag(given.users, given.members, user_id) for user_id in people if user_id in given.users
        ),
        "profile": framing.tag("profile", shortened(given.profile, given.users)),
        "messages": framing.lines(_message(given, message) for message in given.messages),
        "characters": LONGEST_PROFILE,
        "facts": MOST_FACTS,
    }


def _message(given: LearningInput, message: Message) -> Markup:
    is_own = message.kind is MessageKind.MEMBER
    return framing.tag(
        "message",
        shortened(shown(message), given.users),
        id=given.own.short(message.message_id) if is_own else None,
        by=given.users.short(given.user_id) if is_own else "bot",
        at=f"{message.timestamp.astimezone(ZoneInfo(given.time_zone)):%Y-%m-%d %H:%M}",
    )


def _check(given: LearningInput, answer: LearnedProfile) -> None:
    text = profile_in(answer, given)
    facts_in(answer, given)
    if not text:
        raise ValueError("the profile is empty: it must be the whole new profile")
    if len(text) > LONGEST_PROFILE:
        raise ValueError(f"the profile has {len(text)} characters: it must have {LONGEST_PROFILE} at most")
    if is_shrunken(text, given.profile):
        raise ValueError(
            f"the profile has {len(text)} characters of {len(given.profile)}: keep what is not contradicted"
        )


def is_shrunken(text: str, before: str) -> bool:
    """Tell whether `text` has lost so much of the profile `before` that it cannot take its place."""
    return len(before) > LONG_PROFILE and 2 * len(text) < len(before)


def _fallback(given: LearningInput) -> LearnedProfile:
    """Keep what there was."""
    return LearnedProfile(profile=shortened(given.profile, given.users))


LEARN_PROFILE: Final = Operation(
    name="learn_profile",
    role=Role.LEARNING,
    answer=LearnedProfile,
    frame=_frame,
    check=_check,
    fallback=_fallback,
    deadline_seconds=80.0,
)
