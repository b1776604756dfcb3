"""One question about many members: who fits into one call, whose text comes back, and who was left out."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Generic, Protocol, TypeVar

from pydantic import BaseModel, Field

from bot.language.local_ids import LocalIds
from bot.language.local_mentions import lengthened, mentioned_in, shortened
from bot.language.operation import Asker, Operation, Operations, Outcome

CALL_TOKENS: Final = 6_000
"""Estimated tokens of data in one call: a free-tier model takes 15,000 a minute, all told."""


class TextOf(BaseModel):
    """What is told about one member."""

    member: str = Field(description="id of the member, such as u3")
    text: str = Field(description="what is told about this member, in the third person")


class Texts(BaseModel):
    """What a question about many members returns."""

    texts: list[TextOf] = Field(description="one for each member asked about")


@dataclass(frozen=True, slots=True)
class Told:
    """A text about one member; `degraded` if it is a fallback's although a model was configured."""

    text: str
    degraded: bool


class Asked(Protocol):
    """One of those who are asked about."""

    @property
    def user_id(self) -> int:
        """The member."""

    @property
    def texts(self) -> Sequence[str]:
        """What the question says about the member."""


class Given(Protocol):
    """What a question about many members is given."""

    @property
    def users(self) -> LocalIds:
        """The short ids of the members, and of those mentioned."""

    @property
    def known(self) -> str:
        """What the question is made from: a word that stands there is no short id."""


AskedT = TypeVar("AskedT", bound=Asked)


@dataclass(frozen=True)
class Members(Generic[AskedT]):
    """Those whom one call asks about, each with texts of their own."""

    members: Sequence[AskedT]

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members, and of those mentioned."""
        users = LocalIds("u")
        for member in self.members:
            users.short(member.user_id)
        for user_id in mentioned_in(self._texts):
            users.short(user_id)
        return users

    @cached_property
    def known(self) -> str:
        """All texts, as the prompt has them."""
        return shortened(self._texts, self.users)

    @property
    def _texts(self) -> str:
        return "\n".join(text for member in self.members for text in member.texts)


@dataclass(frozen=True, slots=True)
class Telling(Generic[AskedT]):
    """How a question about many members is put."""

    operation: Operation[Members[AskedT], Texts]
    tokens: Callable[[AskedT], int]
    """Estimated tokens that one member takes in the prompt."""


def checked(longest: int) -> Callable[[Members[AskedT], Texts], None]:
    """Return the check of an answer about members, with texts of `longest` characters at most."""

    def check(given: Members[AskedT], answer: Texts) -> None:
        asked_ids = [member.user_id for member in given.members]
        check_texts(answer, given, asked_ids=asked_ids, longest=longest)

    return check


def fallen_back(text_of: Callable[[AskedT], str]) -> Callable[[Members[AskedT]], Texts]:
    """Return the fallback that tells of each member what `text_of` makes of them."""

    def fallback(given: Members[AskedT]) -> Texts:
        users = given.users
        return Texts(
            texts=[
                TextOf(member=users.short(member.user_id), text=shortened(text_of(member), users))
                for member in given.members
            ]
        )

    return fallback


def batched(
    asked: Sequence[AskedT], tokens: Callable[[AskedT], int], *, limit: int = CALL_TOKENS
) -> list[list[AskedT]]:
    """Return `asked` in as few lists as hold `limit` tokens each; one that is larger alone is a list of its own."""
    batches: list[list[AskedT]] = []
    left = 0
    for one in asked:
        needed = tokens(one)
        if not batches or needed > left:
            batches.append([])
            left = limit
        batches[-1].append(one)
        left -= needed
    return batches


def texts_by_member(texts: Texts, given: Given) -> dict[int, str]:
    """Return what is told by member, with members as `<@id>`; raises `ValueError` for what was not offered."""
    told: dict[int, str] = {}
    for one in texts.texts:
        user_id = given.users.long(one.member.removeprefix("@"))
        if strangers := [mentioned for mentioned in mentioned_in(one.text) if mentioned not in given.users]:
            raise ValueError(f"{strangers[0]} is no id of this prompt: write members as they stand there")
        if user_id in told:
            raise ValueError(f"{one.member} is told twice: one text for each member")
        if not one.text.strip():
            raise ValueError(f"the text about {one.member} is empty")
        told[user_id] = lengthened(one.text.strip(), given.users, known=given.known)
    return told


def check_texts(texts: Texts, given: Given, *, asked_ids: Sequence[int], longest: int) -> None:
    """Raise `ValueError` for texts about nobody who was asked about, about none of them, or too long to be kept.

    `longest` is in characters. That some are left out is no error: they are asked for once more.
    """
    told = texts_by_member(texts, given)
    users = given.users
    for user_id, text in told.items():
        if user_id not in asked_ids:
            raise ValueError(f"{users.short(user_id)} was not asked about: tell the members listed only")
        if len(text) > longest:
            raise ValueError(
                f"the text about {users.short(user_id)} has {len(text)} characters: {longest} at most"
            )
    if asked_ids and not told:
        raise ValueError("no member is told: give one text for each member listed")


async def tell_each(
    operations: Operations, telling: Telling[AskedT], asked: Sequence[AskedT], *, asker: Asker
) -> dict[int, Told]:
    """Return a text for every one of `asked`: a model's, and the fallback's for whom a model left out twice."""
    batches = batched(asked, telling.tokens)
    answers = await asyncio.gather(*(_told(operations, telling, batch, asker) for batch in batches))
    return {user_id: told for answer in answers for user_id, told in answer.items()}


async def _told(
    operations: Operations, telling: Telling[AskedT], batch: Sequence[AskedT], asker: Asker
) -> dict[int, Told]:
    told: dict[int, Told] = {}
    left = list(batch)
    for _ in range(2):
        given = Members(left)
        outcome = await operations.run(telling.operation, given, asker=asker)
        told |= _read(outcome, given)
        left = [one for one in batch if one.user_id not in told]
        if not left or outcome.model is None:
            break
    if left:
        given = Members(left)
        instead = texts_by_member(telling.operation.fallback(given), given)
        told |= {user_id: Told(text, degraded=True) for user_id, text in instead.items()}
    return told


def _read(outcome: Outcome[Texts], given: Given) -> dict[int, Told]:
    told = texts_by_member(outcome.value, given)
    return {user_id: Told(text, outcome.degraded) for user_id, text in told.items()}
