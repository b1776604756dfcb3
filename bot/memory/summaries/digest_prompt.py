"""The prompt of a digest: takes the conversations that a member missed, and returns topics, each with the message at
which it begins.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Final

from markupsafe import Markup
from pydantic import BaseModel, Field

from bot.core.domain import Language, Message
from bot.llm import framing
from bot.llm.framing import LocalIds
from bot.llm.operation import Operation, Role
from bot.memory.derived.engine import TalkInput, leading, message_tokens, words_of
from bot.memory.derived.grounding import Grounds, said_in
from bot.memory.policy.disclosure import may_be_quoted, speaks_of_somebody
from bot.text.sentences import say


@dataclass(frozen=True, slots=True)
class MissedTalk:
    """A conversation, as far as it was missed."""

    messages: tuple[Message, ...]
    """Of one channel, oldest first; at least one."""

    @property
    def first(self) -> Message:
        """Where it begins."""
        return self.messages[0]

    @property
    def last_at(self) -> datetime:
        """When something was said last."""
        return self.messages[-1].timestamp

    @property
    def people(self) -> tuple[int, ...]:
        """The participants, most talkative first."""
        return tuple(user_id for user_id, _ in Counter(one.user_id for one in self.messages).most_common())


def talks_of(messages: Sequence[Message], *, asker_id: int, gap: timedelta) -> tuple[MissedTalk, ...]:
    """Return the conversations that `messages` are, in the order of their ends.

    A silence of `gap` ends one. One in which only the asker talked is no news.
    """
    open_talks: dict[int, list[Message]] = {}
    found: list[list[Message]] = []
    for message in sorted(messages, key=lambda one: one.message_id):
        talk = open_talks.get(message.channel_id)
        if talk is None or message.timestamp - talk[-1].timestamp >= gap:
            talk = open_talks[message.channel_id] = []
            found.append(talk)
        talk.append(message)
    talks = (MissedTalk(tuple(talk)) for talk in found if any(one.user_id != asker_id for one in talk))
    return tuple(sorted(talks, key=lambda talk: (talk.last_at, talk.first.message_id)))


def busiest(talks: Sequence[MissedTalk], *, most: int) -> tuple[MissedTalk, ...]:
    """Return `most` of `talks`, the one with most messages first, of equals the newest."""
    ranked = sorted(talks, key=lambda talk: (len(talk.messages), talk.last_at), reverse=True)
    return tuple(ranked[:most])


PROMPT_TOKENS: Final = 6_000
"""Estimated tokens of messages in one prompt: a free-tier model takes 15,000 a minute, all told."""

MOST_TOPICS: Final = 8
"""Topics that are told: whoever comes back wants an overview."""

TOPIC_CHARACTERS: Final = 150
"""About what a model is asked for."""

LONGEST_TOPIC: Final = 400
"""Characters; a model that writes more has retold the talk."""

_MESSAGE_CHARACTERS: Final = 300
"""Of a longer message the beginning tells what it was about."""

NO_WORDS: Final = "…"
"""Stands for a conversation of which no words are told."""

_FIRST_WORDS: Final = 120
"""Characters of a message that stand for a conversation that no model tells."""

_HEAD_TOKENS: Final = 4
"""What stands before a message on its line: id, author and time."""


@dataclass(frozen=True, kw_only=True)
class DigestInput(TalkInput):
    """What the operation is given: the conversations that somebody missed."""

    talks: Sequence[MissedTalk]
    """In the order of their ends."""
    channel_names: Mapping[int, str]
    language: Language
    """In which whoever asks is answered."""

    @cached_property
    def shown(self) -> Sequence[MissedTalk]:
        """What fits into the prompt: the newest conversations, of the oldest of these its end."""
        said = [message for talk in self.talks for message in talk.messages]
        cost = partial(message_tokens, most=_MESSAGE_CHARACTERS, head=_HEAD_TOKENS)
        left_out = len(said) - leading(map(cost, reversed(said)), PROMPT_TOKENS)
        shown: list[MissedTalk] = []
        for talk in self.talks:
            if fitting := talk.messages[left_out:]:
                shown.append(MissedTalk(fitting))
            left_out = max(0, left_out - len(talk.messages))
        return shown

    @cached_property
    def offered(self) -> Mapping[int, Message]:
        """The messages that the prompt shows, by id."""
        return {message.message_id: message for talk in self.shown for message in talk.messages}

    @cached_property
    def ids(self) -> LocalIds:
        """The short ids of messages: those that are shown, then the first ones of the other conversations."""
        return LocalIds("m", [*self.offered, *(talk.first.message_id for talk in self.talks)])

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of members: of those who speak, then of those who are mentioned."""
        said = (message.text for message in self.offered.values())
        return LocalIds("u", [*_speakers(self), *self.mentioned(said)])

    @cached_property
    def grounds(self) -> Grounds:
        """The messages that the prompt shows."""
        said = said_in(self.offered.values(), time_zone=self.time_zone)
        return Grounds(said, names=self.called, written_in=self.language)

    @property
    def wrote(self) -> Sequence[str]:
        """The messages that the prompt shows."""
        return [_words(message) for message in self.offered.values()]

    def talk_of(self, message_id: int) -> MissedTalk:
        """Return the conversation to which a message belongs."""
        return next(talk for talk in self.talks if any(one.message_id == message_id for one in talk.messages))


class DigestTopic(BaseModel):
    """One thing that was talked about."""

    message: str = Field(description="the id of the message with which it begins, for example m3")
    text: str = Field(description="what was said about it, one or two sentences")


class DigestTopics(BaseModel):
    """What was talked about."""

    topics: list[DigestTopic] = Field(description="what matters most first")


def text_of(given: DigestInput, topic: DigestTopic) -> str:
    """Return what a model says of a topic with members as `<@id>`; raises `ValueError` for members not offered."""
    return given.with_ids(" ".join(topic.text.split()))


def _words(message: Message) -> str:
    return words_of(message, most=_MESSAGE_CHARACTERS)


def _first_words(talk: MissedTalk) -> str:
    """Return the first words of a conversation that are about a thing and not about somebody, if there are any."""
    said = (" ".join(_words(message).split()) for message in talk.messages)
    words = next((one for one in said if may_be_quoted(one) and not speaks_of_somebody(one)), NO_WORDS)
    return words if len(words) <= _FIRST_WORDS else words[: _FIRST_WORDS - 1].rstrip() + "…"


def _mend(given: DigestInput, answer: DigestTopics) -> DigestTopics:
    """Leave out topics without a message at which they begin."""
    offered = {given.ids.short(message_id) for message_id in given.offered}
    fitting = (
        DigestTopic(message=topic.message, text=given.fitting(topic.text, longest=LONGEST_TOPIC))
        for topic in answer.topics
        if topic.message in offered
    )
    return DigestTopics(topics=[topic for topic in fitting if topic.text][:MOST_TOPICS])


def _check(given: DigestInput, answer: DigestTopics) -> None:
    if not 0 < len(answer.topics) <= MOST_TOPICS:
        raise ValueError(f"there are {len(answer.topics)} topics: it must be 1 to {MOST_TOPICS}")
    for topic in answer.topics:
        if given.ids.long(topic.message) not in given.offered:
            raise ValueError(f"{topic.message!r} is no message of this prompt")
        given.check(topic.text, longest=LONGEST_TOPIC, name="the text of a topic")


def _frame(given: DigestInput) -> Mapping[str, object]:
    return {
        "members": given.member_tags(dict.fromkeys(_speakers(given))),
        "conversations": framing.lines(_talk(given, talk) for talk in given.shown),
        "language": say("language.in_english", given.language),
        "most": MOST_TOPICS,
        "characters": TOPIC_CHARACTERS,
    }


def _speakers(given: DigestInput) -> Sequence[int]:
    return list(dict.fromkeys(message.user_id for message in given.offered.values()))


def _talk(given: DigestInput, talk: MissedTalk) -> Markup:
    return framing.tag(
        "conversation",
        framing.lines(
            [
                Markup(""),
                *(
                    given.line(
                        message,
                        _words(message),
                        at=given.at(message),
                        short_id=given.ids.short(message.message_id),
                    )
                    for message in talk.messages
                ),
                Markup(""),
            ]
        ),
        channel=given.channel_names.get(talk.first.channel_id),
        day=given.at(talk.first, "%A, %Y-%m-%d"),
    )


def by_busiest(given: DigestInput) -> DigestTopics:
    """Return the busiest conversations, each with its first words as they were said, if these may be told."""
    return DigestTopics(
        topics=[
            DigestTopic(text=_first_words(talk), message=given.ids.short(talk.first.message_id))
            for talk in busiest(given.talks, most=MOST_TOPICS)
        ]
    )


TELL_DIGEST: Final[Operation[DigestInput, DigestTopics]] = Operation(
    name="catch_up",
    role=Role.MEMORY,
    answer=DigestTopics,
    frame=_frame,
    mend=_mend,
    check=_check,
    fallback=by_busiest,
    deadline_seconds=15.0,
)
