"""What of all that a place may see is told to the one who asks: about others with discretion."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, Episode, Fact, Message
from bot.memory.telling_others import (
    Discretion,
    discretion,
    may_be_prompted,
    may_be_told,
    told_openly,
    without_naming,
)


@dataclass(frozen=True, slots=True)
class Tact:
    """How much the author of a turn is told about whom."""

    turn: Turn
    private_ids: frozenset[int]
    """Members about whom others are told nothing."""
    private_episode_ids: frozenset[int] = frozenset()
    """Episodes that rest on what such members said, whether or not they name them."""

    def about(self, subject_id: int) -> Discretion:
        """Return how much of a member is told."""
        return discretion(
            self.turn.guild,
            asker_id=self.turn.message.user_id,
            subject_id=subject_id,
            from_moderator=self.turn.from_moderator,
            is_private=subject_id in self.private_ids,
        )

    def facts(self, known: Iterable[Fact]) -> list[Fact]:
        """Return those of `known` that are told; of the asker's own, from whatever guild, all."""
        asker_id = self.turn.message.user_id
        return self._naming_nobody_private(
            fact for fact in known if may_be_told(fact, self.about(fact.subject_id), asker_id=asker_id)
        )

    def prompted(self, known: Iterable[Fact]) -> list[Fact]:
        """Return those of `known` that a model is given which replies to the asker."""
        asker_id = self.turn.message.user_id
        return self._naming_nobody_private(
            fact for fact in known if may_be_prompted(fact, self.about(fact.subject_id), asker_id=asker_id)
        )

    def is_about_others(self, subject_ids: Iterable[int]) -> bool:
        """Tell whether one of these is a member other than the asker: of them nothing is quoted."""
        return any(one not in {self.turn.message.user_id, GUILD_SUBJECT} for one in subject_ids)

    def text(self, subject_id: int, text: str) -> str:
        """Return what is told of a text about a member."""
        return self.without_private(told_openly(text, self.about(subject_id)))

    def profile(self, user_id: int, text: str) -> str:
        """Return what is told of what was learned of a member: all or nothing."""
        return self.without_private(text) if self.about(user_id) is Discretion.ALL else ""

    def messages(self, known: Iterable[Message]) -> list[Message]:
        """Return those of `known` that are quoted: what private members said is for themselves."""
        return [message for message in known if not self.hides(message.user_id)]

    def episodes(self, known: Iterable[Episode]) -> list[Episode]:
        """Return `known` without what they say of private members; of which nothing is left is left out.

        So are those that rest on what a private member said: in a talk told as a whole they may stand unnamed.
        """
        shown = (one for one in known if one.episode_id not in self.private_episode_ids)
        told = (replace(one, content=self.without_private(one.content)) for one in shown)
        return [one for one in told if one.content]

    def _naming_nobody_private(self, told: Iterable[Fact]) -> list[Fact]:
        asker_id = self.turn.message.user_id
        return [
            fact
            for fact in told
            if asker_id in {fact.subject_id, fact.author_id}
            or self.without_private(fact.content) == fact.content
        ]

    def without_private(self, text: str) -> str:
        """Return `text` without the sentences that name a member about whom the asker is told nothing."""
        return without_naming(text, self.private_ids - {self.turn.message.user_id})

    def hides(self, user_id: int) -> bool:
        """Tell whether nothing that a member said elsewhere is told."""
        return user_id in self.private_ids and user_id != self.turn.message.user_id


async def tact_of(turn: Turn, doors: Doors) -> Tact:
    """Return how much the author of `turn` is told. Raises `DatabaseError`: what is not known is not told."""
    guild_id = turn.message.guild_id
    private_ids = await doors.directory.private_ids(guild_id)
    others = private_ids - {turn.message.user_id}
    episode_ids: frozenset[int] = frozenset()
    if others:
        episode_ids = await doors.memory.episodes.resting_on(guild_id=guild_id, user_ids=sorted(others))
    return Tact(turn, private_ids, episode_ids)
