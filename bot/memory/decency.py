"""Whether something may be kept about somebody else at all: a model judges, tables of words stand in for it.

Insults, accusations and sensitive matters are kept about nobody on another's word. Only what concerns somebody else is
judged: what people have remembered about themselves is theirs to choose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field

from bot.domain import GUILD_SUBJECT
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import mentioned_in, shortened
from bot.language.operation import Asker, Operation, Operations, Role
from bot.memory.sensitive import says_sensitive
from bot.memory.unkind import accuses, insults


class Verdict(StrEnum):
    """What a statement about somebody else is."""

    FINE = "fine"
    INSULT = "insult"
    ACCUSATION = "accusation"
    SENSITIVE = "sensitive"


@dataclass(frozen=True)
class Wanted:
    """A statement that somebody wants kept."""

    statement: str
    """Members as `<@id>`."""
    author_id: int
    """Who wants it kept."""
    speaker_id: int
    """Whose words it is in."""
    subject_id: int
    """Whom it is about."""
    bot_id: int

    @cached_property
    def others(self) -> frozenset[int]:
        """The members beside its author whom it is about or names."""
        named = {self.subject_id, *mentioned_in(self.statement)}
        return frozenset(named - {self.author_id, self.bot_id, GUILD_SUBJECT})

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members whom it concerns, its author first."""
        users = LocalIds("u")
        users.short(self.author_id)
        for user_id in (self.subject_id, self.speaker_id, *mentioned_in(self.statement)):
            if user_id != GUILD_SUBJECT:
                users.short(user_id)
        return users


class Judgement(BaseModel):
    """What a model makes of it."""

    verdict: Verdict = Field(description="fine, insult, accusation or sensitive")


async def verdict_on(operations: Operations, wanted: Wanted, *, asker: Asker) -> Verdict:
    """Return what `wanted` says about others than its author; nobody is asked where it concerns none."""
    if not wanted.others:
        return Verdict.FINE
    return (await operations.run(JUDGE, wanted, asker=asker)).value.verdict


def by_words(wanted: Wanted) -> Judgement:
    """Return what the tables make of it; what somebody said of themselves is no insult."""
    others = wanted.others - {wanted.speaker_id}
    if insults(wanted.statement, others):
        return Judgement(verdict=Verdict.INSULT)
    if accuses(wanted.statement, others):
        return Judgement(verdict=Verdict.ACCUSATION)
    if wanted.others and wanted.subject_id != wanted.author_id and says_sensitive(wanted.statement):
        return Judgement(verdict=Verdict.SENSITIVE)
    return Judgement(verdict=Verdict.FINE)


def _frame(wanted: Wanted) -> Mapping[str, object]:
    users = wanted.users
    about = "the server" if wanted.subject_id == GUILD_SUBJECT else f"@{users.short(wanted.subject_id)}"
    return {
        "author": f"@{users.short(wanted.author_id)}",
        "subject": about,
        "speaker": f"@{users.short(wanted.speaker_id)}",
        "statement": framing.tag("statement", shortened(wanted.statement, users)),
    }


JUDGE: Final = Operation(
    name="judge_note",
    role=Role.MEMORY,
    answer=Judgement,
    frame=_frame,
    fallback=by_words,
    deadline_seconds=4.0,
)
