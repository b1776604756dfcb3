"""What may be stored: a message that the database accepts, without secrets, and a statement about somebody else that a
model or word lists consider acceptable.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field

from bot.core.domain import GUILD_SUBJECT, MAX_ID, Message, mention_of
from bot.core.errors import InvalidInputError
from bot.llm import framing
from bot.llm.framing import LocalIds, mentioned_in, shortened
from bot.llm.operation import Asker, Operation, Operations, Role
from bot.text.grammar.words import may_start_with_name
from bot.text.kinds import KINDS, Nature, plain
from bot.text.secrets.masking import masked


def storable(message: Message) -> Message:
    """Return `message` with a text that Postgres takes, and without the secrets in it: nothing else is ever kept.

    Raises `InvalidInputError` as `check` does.
    """
    check(message)
    return masked_message(message)


def check(message: Message) -> None:
    """Raise `InvalidInputError` for impossible ids and for a time without zone: whose day would that be?"""
    for name in ("guild_id", "channel_id", "message_id"):
        value = getattr(message, name)
        if not 0 < value <= MAX_ID:
            raise InvalidInputError(f"{name} {value} is no id: ids lie between 1 and {MAX_ID}")
    if not 0 <= message.user_id <= MAX_ID:
        raise InvalidInputError(f"user_id {message.user_id} is no id: ids lie between 1 and {MAX_ID}")
    for moment in (message.timestamp, message.edited_at):
        if moment is not None and moment.tzinfo is None:
            raise InvalidInputError(
                f"the time {moment.isoformat()} has no zone: a message needs an aware one"
            )


def masked_message(message: Message) -> Message:
    """Return `message`, which `check` lets pass, as it may be kept."""
    text = masked(clean(message.text))
    attachments = tuple(masked(clean(attachment)) for attachment in message.attachments)
    if text == message.text and attachments == message.attachments:
        return message
    return replace(message, text=text, attachments=attachments)


def clean(text: str) -> str:
    """Return `text` without what no UTF-8 database can hold: NUL and lone surrogates."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


class Verdict(StrEnum):
    """What a statement about somebody else is."""

    FINE = "fine"
    INSULT = "insult"
    ACCUSATION = "accusation"
    SENSITIVE = "sensitive"


@dataclass(frozen=True)
class ProposedStatement:
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
    names: tuple[str, ...] = ()
    """Names in it that are no member's."""

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


async def verdict_on(operations: Operations, wanted: ProposedStatement, *, asker: Asker) -> Verdict:
    """Return what `wanted` says about others than its author; nobody is asked where it concerns none.

    What the tables know is decided by them: a model may find more in it, never less.
    """
    known = verdict_by_words(wanted).verdict
    if known is not Verdict.FINE or not wanted.others:
        return known
    return (await operations.run(JUDGE_STATEMENT, wanted, asker=asker)).value.verdict


_STRANGER: Final = MAX_ID
"""Stands for somebody who is no member, so that what is said of them is read as of any other."""
_VERDICTS: Final = {"insult": Verdict.INSULT, "animosity": Verdict.INSULT, "accusation": Verdict.ACCUSATION}
"""What kinds are refused as; all others are sensitive."""


def verdict_by_words(wanted: ProposedStatement) -> Judgement:
    """Return what the table of kinds makes of it; what somebody said of themselves is no insult."""
    statement, others = _with_stranger(wanted)
    said = plain(statement)
    is_of_another = bool(others) and wanted.subject_id != wanted.author_id
    targets = others - {wanted.speaker_id}
    for kind in (kind for kind in KINDS if kind.is_refused):
        if kind.nature is Nature.UNKIND:
            is_found = not targets.isdisjoint(kind.said_of(said)) or (
                is_of_another and wanted.subject_id != wanted.speaker_id and kind.is_worded(said)
            )
        else:
            is_found = is_of_another and kind.is_in(said)
        if is_found:
            return Judgement(verdict=_VERDICTS.get(kind.name, Verdict.SENSITIVE))
    return Judgement(verdict=Verdict.FINE)


def _with_stranger(wanted: ProposedStatement) -> tuple[str, frozenset[int]]:
    """Return the statement and its subjects besides the author, with a mention for each name of no member."""
    statement, others = wanted.statement, wanted.others
    first = statement.split(maxsplit=1)[0] if wanted.subject_id == GUILD_SUBJECT and not others else ""
    may_name = first[:1].isupper() and may_start_with_name(first)
    for name in wanted.names or ((first.removesuffix("'s"),) if may_name else ()):
        statement = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", mention_of(_STRANGER), statement)
        others |= {_STRANGER}
    return statement, others


def _frame(wanted: ProposedStatement) -> Mapping[str, object]:
    users = wanted.users
    about = "the server" if wanted.subject_id == GUILD_SUBJECT else f"@{users.short(wanted.subject_id)}"
    return {
        "statement": framing.tag(
            "statement",
            shortened(wanted.statement, users),
            about=about,
            speaker=f"@{users.short(wanted.speaker_id)}",
        ),
    }


JUDGE_STATEMENT: Final = Operation(
    name="judge_note",
    role=Role.MEMORY,
    answer=Judgement,
    frame=_frame,
    fallback=verdict_by_words,
    deadline_seconds=4.0,
)
