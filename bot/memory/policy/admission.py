"""What may be kept at all: a message that the database takes, without secrets, and a statement about
somebody else that is decent by the judgement of a model or of word lists.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field

from bot.core.domain import GUILD_SUBJECT, MAX_ID, Message
from bot.core.errors import InvalidInputError
from bot.llm import framing
from bot.llm.framing import LocalIds, mentioned_in, shortened
from bot.llm.operation import Asker, Operation, Operations, Role
from bot.text.languages import either
from bot.text.secrets.masking import masked
from bot.text.sensitive import says_sensitive


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


_MEMBER: Final = r"<@!?(?P<member>\d{1,19})>"


def _of_a_member(words: str) -> re.Pattern[str]:
    """Return what finds one of the `words` of a pattern where it is said of a member."""
    return re.compile(
        rf"{_MEMBER}{either('said_to_be')}\ {words}(?![\w-])|{words}\ {_MEMBER.replace('member', 'called')}"
    )


_INSULT: Final = _of_a_member(either("insult"))
_ACCUSATION: Final = re.compile(
    rf"{_of_a_member(either('accused')).pattern}"
    rf"|{_MEMBER.replace('member', 'doer')}(?:\ {either('has_always')})*\ {either('deed')}(?!\w)"
)


def insults(text: str, user_ids: Collection[int]) -> bool:
    """Tell whether `text` plainly insults one of these members, who stand in it as `<@id>`."""
    return _says(_INSULT, text, user_ids)


def accuses(text: str, user_ids: Collection[int]) -> bool:
    """Tell whether `text` plainly says that one of these members did wrong."""
    return _says(_ACCUSATION, text, user_ids)


def _says(pattern: re.Pattern[str], text: str, user_ids: Collection[int]) -> bool:
    plain = " ".join(text.lower().replace("ё", "е").split())
    return any(
        int(member) in user_ids
        for found in pattern.finditer(plain)
        for member in found.groupdict().values()
        if member is not None
    )


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
    """Return what `wanted` says about others than its author; nobody is asked where it concerns none."""
    if not wanted.others:
        return Verdict.FINE
    return (await operations.run(JUDGE_STATEMENT, wanted, asker=asker)).value.verdict


def verdict_by_words(wanted: ProposedStatement) -> Judgement:
    """Return what the tables make of it; what somebody said of themselves is no insult."""
    others = wanted.others - {wanted.speaker_id}
    if insults(wanted.statement, others):
        return Judgement(verdict=Verdict.INSULT)
    if accuses(wanted.statement, others):
        return Judgement(verdict=Verdict.ACCUSATION)
    if wanted.others and wanted.subject_id != wanted.author_id and says_sensitive(wanted.statement):
        return Judgement(verdict=Verdict.SENSITIVE)
    return Judgement(verdict=Verdict.FINE)


def _frame(wanted: ProposedStatement) -> Mapping[str, object]:
    users = wanted.users
    about = "the server" if wanted.subject_id == GUILD_SUBJECT else f"@{users.short(wanted.subject_id)}"
    return {
        "author": f"@{users.short(wanted.author_id)}",
        "subject": about,
        "speaker": f"@{users.short(wanted.speaker_id)}",
        "statement": framing.tag("statement", shortened(wanted.statement, users)),
    }


JUDGE_STATEMENT: Final = Operation(
    name="judge_note",
    role=Role.MEMORY,
    answer=Judgement,
    frame=_frame,
    fallback=verdict_by_words,
    deadline_seconds=4.0,
)
