"""What a large forgetting takes, in a form that outlives the process: ids and limits, never words."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from bot.domain import OPEN
from bot.store.forgotten_words import Words


class Selection(BaseModel):
    """Which messages are meant, in a form that outlives the process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    audiences: tuple[int, ...]
    author_id: int | None = None
    """Whose; `None`: whoever wrote them."""
    channel_id: int | None = None
    """Of which channel; `None`: wherever they stand in `audiences`."""
    since: datetime | None = None
    """From when on, aware; `None`: from the beginning."""
    up_to_id: int
    """What is said later is not meant."""

    spares_others: bool = False
    """What the author told about others stays known: they have no right to have that forgotten."""

    @property
    def words(self) -> Words:
        """The same as the store takes it."""
        return Words(
            audiences=self.audiences,
            author_id=self.author_id,
            channel_id=self.channel_id,
            since=self.since,
            up_to_id=self.up_to_id,
            spares_others=self.spares_others,
        )


class FactShare(BaseModel):
    """Facts of one guild that are taken alike."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fact_ids: tuple[int, ...]
    author_ids: tuple[int, ...] | None = None
    """Whose messages that say them lose their text, beside the bot's own; `None`: whoever wrote them."""
    audiences: tuple[int, ...] = (OPEN,)
    """Where those messages may stand."""


class FactPlan(BaseModel):
    """Which facts of one guild are meant, with what goes beside them at the end."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    shares: tuple[FactShare, ...]
    message_ids: tuple[int, ...] = ()
    audiences: tuple[int, ...] = (OPEN,)
    """Where the command was said."""
    profile_of: int | None = None
    """Whose profile goes too."""


Plan = Selection | FactPlan
_PLANS: Final[TypeAdapter[Selection | FactPlan]] = TypeAdapter(Selection | FactPlan)


def plan_in(stored: str) -> Plan:
    """Return a plan from its JSON."""
    return _PLANS.validate_json(stored)


def some_of(share: FactShare, left: Sequence[int], *, at_most: int) -> FactShare:
    """Return the first facts of `share` that are among those `left`."""
    among = set(left)
    first = [fact_id for fact_id in share.fact_ids if fact_id in among][:at_most]
    return share.model_copy(update={"fact_ids": tuple(first)})
