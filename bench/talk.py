"""A made-up guild that talks: the same members, messages and questions at every run."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.core.domain import Guild, Member, Message, mention_of, snowflake_at

GUILD_ID: Final = 1_000
BEGINS: Final = datetime(2026, 3, 2, tzinfo=UTC)

_FIRST_MEMBER: Final = 100
_CHANNELS: Final = (2_001, 2_002, 2_003, 2_004)
_CHANNEL_WEIGHTS: Final = (4, 2, 1, 1)
_AWAKE_FROM: Final = timedelta(hours=8)
_AWAKE_HOURS: Final = 16
_TALK_MESSAGES: Final = 25
"""Messages of one talk on average."""
_BETWEEN_MESSAGES: Final = 25.0
"""Seconds between two messages of a talk on average."""
_WORDS: Final = 9.5
"""Words of a message on average: about 55 letters, as in the chat of a large public channel on IRC (45 to 64)."""
_VOCABULARY: Final = (
    "the a we it that this and but so with for on in at is was are have just really maybe think know like want build"
    " server client update patch branch review merge release keyboard monitor coffee lunch train garden cat dog music"
    " album concert movie series episode game level boss raid party team match goal season weather rain sunny weekend"
    " tomorrow tonight yesterday morning evening again never always almost finally probably someone everyone nothing"
    " something better worse faster slower broken fixed weird funny great nice awful bread noodles soup recipe kitchen"
    " street bike hill river mountain photo camera paint guitar drum voice story book page chapter question answer"
).split()


@dataclass(frozen=True, slots=True)
class Question:
    """A message to the bot, and the members whom it names."""

    message: Message
    mentioned: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """What is said on one day, oldest first, questions to the bot among it."""

    begins: datetime
    messages: Sequence[Message]
    questions: Sequence[Question]


class Talk:
    """What `members` people say; everything follows from `seed`."""

    def __init__(self, *, members: int, messages_a_day: int, questions_a_day: int, seed: int = 1) -> None:
        self.guild: Final = Guild(guild_id=GUILD_ID, name="Bench")
        self.member_ids: Final = tuple(range(_FIRST_MEMBER, _FIRST_MEMBER + members))
        self._messages_a_day = messages_a_day
        self._questions_a_day = questions_a_day
        self._random = random.Random(seed)
        # A few talk much and many little, as everywhere.
        self._weights = [1 / (rank + 2) for rank in range(members)]
        self._said = 0

    def members(self) -> list[Member]:
        """Return the members by names that nobody types by chance."""
        return [
            Member(guild_id=self.guild.guild_id, user_id=user_id, user_name=f"Member{user_id}")
            for user_id in self.member_ids
        ]

    def statements(self, user_id: int, count: int) -> list[str]:
        """Return what a member wants to have remembered."""
        return [f"I keep {self._text(6)} ({user_id}-{number})" for number in range(count)]

    def day(self, number: int) -> Day:
        """Return day `number`, from 0, of the week."""
        begins = BEGINS + timedelta(days=number)
        said: list[Message] = []
        while len(said) < self._messages_a_day:
            said += self._one_talk(begins)
        messages = sorted(said[: self._messages_a_day], key=lambda message: message.timestamp)
        messages = [self._numbered(message) for message in messages]
        questions = []
        for position in sorted(self._random.sample(range(len(messages)), self._questions_a_day)):
            questions.append(self._question(messages[position]))
            messages[position] = questions[-1].message
        return Day(begins, messages, questions)

    def _one_talk(self, begins: datetime) -> list[Message]:
        choose = self._random
        moment = begins + _AWAKE_FROM + timedelta(hours=_AWAKE_HOURS * choose.random() * 0.97)
        end = begins + timedelta(days=1)
        channel_id = choose.choices(_CHANNELS, _CHANNEL_WEIGHTS)[0]
        people = list(dict.fromkeys(choose.choices(self.member_ids, self._weights, k=choose.randint(2, 7))))
        talk = []
        for _ in range(1 + int(choose.expovariate(1 / _TALK_MESSAGES))):
            moment += timedelta(seconds=choose.expovariate(1 / _BETWEEN_MESSAGES))
            if moment >= end:
                break
            talk.append(
                Message(
                    guild_id=self.guild.guild_id,
                    channel_id=channel_id,
                    message_id=1,
                    user_id=choose.choice(people),
                    text=self._text(_WORDS),
                    timestamp=moment,
                )
            )
        return talk

    def _numbered(self, message: Message) -> Message:
        """Return `message` with an id of its own, and a last word that no other has."""
        self._said += 1
        return replace(
            message,
            message_id=snowflake_at(message.timestamp) + self._said % (1 << 22),
            text=f"{message.text} x{self._said:x}",
        )

    def _question(self, message: Message) -> Question:
        others = [user_id for user_id in self.member_ids if user_id != message.user_id]
        asked = self._random.choices(others, k=1) if self._random.random() < 0.5 else []
        about = " ".join(mention_of(user_id) for user_id in asked)
        text = f"Bot, any idea {about} {message.text}?"
        return Question(replace(message, text=" ".join(text.split())), tuple(asked))

    def _text(self, words: float) -> str:
        count = max(1, round(self._random.lognormvariate(0, 0.7) * words / 1.28))
        return " ".join(self._random.choices(_VOCABULARY, k=count))


def mean_letters(days: Sequence[Day]) -> float:
    """Return how many letters a message has on average."""
    letters = [len(message.text) for day in days for message in day.messages]
    return sum(letters) / len(letters)
