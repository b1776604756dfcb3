"""What a forgetting may take (its reach), and which messages say a fact that is to be forgotten.
A message says a fact if it has to do with its subject (it is by them, names them by a mention or a name, or
answers them) and holds all content words of it: in one sentence that neither denies what the fact says nor
says what it denies, or spread over several. A single word is too little, since people say "pizza" for many
reasons, unless it is an identifier, is rare where it was said, is all that a sentence says, or stands in
the very words of the fact ("I own a boat": a search passes over "own").
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.core.domain import GUILD_SUBJECT, OPEN, MessageKind
from bot.db.pool import Connection
from bot.memory.facts.repository_slots import Source
from bot.memory.messages import repository_quarantine
from bot.memory.outbox.removal_log import Remover
from bot.memory.policy import redaction
from bot.memory.policy.redaction import sentences_of
from bot.memory.rights.forgetting import repository
from bot.memory.rights.forgetting.matching import FactPart
from bot.memory.rights.forgetting.repository import Saying
from bot.text import tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedWords:
    """What was ordered to be forgotten, in its own words."""

    subject_id: int
    author_id: int | None
    """Whose telling of it is meant; `None`: whoever tells it."""
    text: str
    """In the first or third person; "" is all that there is about the subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a forgetting may take in one guild."""

    guild_id: int
    fact_ids: Sequence[int] = ()
    message_ids: Sequence[int] = ()
    author_ids: Sequence[int] | None = None
    """Whose messages that say the facts lose their text, beside the bot's own; `None`: whoever wrote them."""
    audiences: Sequence[int] = (OPEN,)
    """Where those messages may stand."""
    parts: Mapping[int, FactPart] = field(default_factory=dict)
    """Of facts that say more than is to be forgotten, what goes and what stays."""
    statement: str = ""
    """What was asked for, in the asker's words, where it says just what the facts say; may be empty."""
    words: Sequence[OrderedWords] = ()
    """What older orders may not have remembered, be they read later, though nothing says it now."""
    asked_at: datetime | None = None
    """When it was asked for; what somebody asked to have remembered since stays. `None`: now."""
    is_counted: bool = True
    """Whether its facts add to the number that is told; that of a plan is known from the beginning."""
    by: Remover | None = None
    """Who asks, and by which command; `None`: nobody who could look at what it took."""


MOST_MESSAGES: Final = 2_000
"""Messages that one wording of a fact takes at most; the newest first."""

MOST_LEFT: Final = 10
"""Messages of others that are named as left."""

_LOOKED_AT: Final = 200
"""Messages among which those of others are looked for."""

_RARE_IN: Final = 1_000
"""A word is rare if at most one of so many messages holds it: where fewer were said, nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One way in which something was said about a subject."""

    subject_id: int
    text: str
    is_name: bool = False
    """It is a name of theirs, and no sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessages:
    """Messages that say it."""

    taken: Mapping[int, MessageKind]
    """Those that lose their text, with who wrote them."""
    left_ids: tuple[int, ...] = ()
    """Those of others that keep it: they have nothing to do with the subject, or somebody else's right is needed."""
    stems: frozenset[frozenset[str]] = frozenset()
    """The stems of each wording that was looked for."""


async def messages_that_say(
    connection: Connection,
    *,
    guild_id: int,
    wordings: Iterable[Wording],
    author_ids: Sequence[int] | None,
    audiences: Sequence[int],
) -> FoundMessages:
    """Return the messages in `audiences` that say any of `wordings`.

    Those of other authors than `author_ids`, if there are any of these, are left.
    """
    given = list(dict.fromkeys(wordings))
    sought = await _words(connection, guild_id, given)
    taken: dict[int, MessageKind] = {}
    left: dict[int, None] = {}
    texts: dict[tuple[int, frozenset[str]], list[str]] = {}
    for one, words in zip(given, sought, strict=True):
        if redaction.content_words(words):
            texts.setdefault((one.subject_id, words), []).append(one.text)
    called = {user_id for subject_id, words in texts for user_id in (subject_id, *_named_in(words))}
    names = await repository.names_of(
        connection, guild_id=guild_id, user_ids=sorted(called), audiences=audiences
    )
    for (subject_id, words), said in texts.items():
        search = _Search(
            connection, guild_id, audiences, subject_id=subject_id, words=words, texts=said, names=names
        )
        for saying in await search.around():
            if _may_take(saying, author_ids):
                taken[saying.message_id] = saying.kind
            else:
                left[saying.message_id] = None
        left |= dict.fromkeys(await search.elsewhere())
    stems = {
        frozenset(stem for stem in redaction.searchable_stems(words) if not stem.isdecimal())
        for _, words in texts
    }
    return FoundMessages(
        taken=taken,
        left_ids=tuple(one for one in left if one not in taken)[:MOST_LEFT],
        stems=frozenset(stems),
    )


async def drop_quarantined(connection: Connection, reach: Reach, found: FoundMessages) -> None:
    """Drop what could not be written yet, is in `reach`, and holds all words of a wording that was looked for."""
    if found.stems:
        await repository_quarantine.drop_holding(
            connection,
            guild_id=reach.guild_id,
            stems=[sorted(stems) for stems in found.stems],
            author_ids=reach.author_ids,
            audiences=reach.audiences,
        )


def _may_take(saying: Saying, author_ids: Sequence[int] | None) -> bool:
    return author_ids is None or saying.kind is MessageKind.BOT or saying.user_id in author_ids


async def _words(connection: Connection, guild_id: int, given: Sequence[Wording]) -> list[frozenset[str]]:
    """Return what each wording says; a name has no tone: nobody denies it."""
    said = await redaction.words_of(
        connection,
        guild_id=guild_id,
        texts=[one.text for one in given],
        subject_ids=[one.subject_id for one in given],
    )
    return [
        redaction.content_words(words) if one.is_name else words
        for one, words in zip(given, said, strict=True)
    ]


@dataclass(frozen=True)
class _Search:
    """The search for one wording."""

    connection: Connection
    guild_id: int
    audiences: Sequence[int]
    subject_id: int
    words: frozenset[str]
    texts: Sequence[str]
    """The sentences that have just these words."""
    names: Mapping[int, Sequence[str]]
    """By which members are known."""

    async def around(self) -> list[Saying]:
        """Return the messages that say it and have to do with its subject."""
        if self.subject_id == GUILD_SUBJECT:
            if not self._stems:
                return []
            found = await repository.messages_anywhere(
                self.connection,
                guild_id=self.guild_id,
                audiences=self.audiences,
                stems=self._stems,
                limit=MOST_MESSAGES,
            )
        else:
            found = await repository.messages_around(
                self.connection,
                guild_id=self.guild_id,
                audiences=self.audiences,
                stems=self._stems,
                subject_id=self.subject_id,
                names=self.names.get(self.subject_id, ()),
                limit=MOST_MESSAGES,
            )
        return await self._saying(found)

    async def elsewhere(self) -> list[int]:
        """Return messages of members that say it of nobody in particular."""
        if (
            self.subject_id == GUILD_SUBJECT
            or not self._stems
            or len(redaction.content_words(self.words)) < 2
        ):
            return []
        found = await repository.messages_anywhere(
            self.connection,
            guild_id=self.guild_id,
            audiences=self.audiences,
            stems=self._stems,
            limit=_LOOKED_AT,
        )
        members = [one for one in found if one.kind is MessageKind.MEMBER and one.user_id != self.subject_id]
        return [one.message_id for one in await self._saying(members)]

    @property
    def _stems(self) -> list[str]:
        """What a message must hold as it is to be looked at."""
        return sorted(word for word in redaction.searchable_stems(self.words) if not word.isdecimal())

    async def _saying(self, found: Sequence[Saying]) -> list[Saying]:
        """Return those of `found` that say it."""
        if not found:
            return []
        others = {
            user_id: await self._stemmed(self.names.get(user_id, ())) for user_id in _named_in(self.words)
        }
        is_enough = await self._is_enough()
        spoken = [sentences_of(one.text) or [""] for one in found]
        words = iter(
            await redaction.words_said_in(
                self.connection, guild_id=self.guild_id, texts=[one for each in spoken for one in each]
            )
        )
        return [
            one
            for one, sentences in zip(found, spoken, strict=True)
            if self._is_said(
                [(sentence, _with_ids(next(words), others)) for sentence in sentences], is_enough=is_enough
            )
        ]

    def _is_said(self, sentences: Sequence[tuple[str, frozenset[str]]], *, is_enough: bool) -> bool:
        needed = redaction.content_words(self.words)
        holding = [(sentence, said) for sentence, said in sentences if needed <= said]
        if holding:
            return any(
                self.words <= said and (is_enough or self._says_no_less(sentence, said))
                for sentence, said in holding
            )
        return is_enough and needed <= frozenset().union(*(said for _, said in sentences))

    def _says_no_less(self, sentence: str, said: frozenset[str]) -> bool:
        """Tell whether a sentence with the one word that is needed says nothing else, or all else that was said."""
        if redaction.content_words(said) - {str(self.subject_id)} == redaction.content_words(self.words):
            return True
        spoken = tokens.content_stems(sentence)
        for text in self.texts:
            stems = tokens.content_stems(text) - {f"<@{self.subject_id}>"}
            if (len(stems) > 1 and stems <= spoken) or _phrase(text) in _phrase(sentence):
                return True
        return False

    async def _is_enough(self) -> bool:
        """Tell whether whoever says these words says it: several, an identifier, or one that is rare here."""
        needed = redaction.content_words(self.words)
        if len(needed) > 1 or any(map(redaction.names_one, needed)):
            return True
        (word,) = needed
        holding, messages = await repository.share_of(
            self.connection, guild_id=self.guild_id, audiences=self.audiences, stem=word
        )
        return holding * _RARE_IN <= messages

    async def _stemmed(self, names: Sequence[str]) -> list[frozenset[str]]:
        found = await redaction.matters_of(self.connection, guild_id=self.guild_id, texts=names)
        return [words for words in found if words]


_LONGEST_ID: Final = 20
_WORD: Final = re.compile(r"[\w<@>']+")


def _named_in(words: frozenset[str]) -> list[int]:
    """Return whom words speak of beside their subject: a message may call them by name."""
    return [int(word) for word in words if word.isdecimal() and len(word) < _LONGEST_ID]


def _phrase(text: str) -> str:
    """Return the words of `text` between blanks, so that one phrase is found in another by whole words alone."""
    return f" {' '.join(_WORD.findall(tokens.normalised(text)))} "


def _with_ids(said: frozenset[str], others: Mapping[int, Sequence[frozenset[str]]]) -> frozenset[str]:
    """Return what a sentence says, with the ids of whom it calls by name."""
    called = {str(user_id) for user_id, names in others.items() if any(name <= said for name in names)}
    return said | called


def messages_of(said: Sequence[Source], *, author_ids: Sequence[int] | None) -> list[int]:
    """Return the messages that said facts: where they stood, and the commands that had them stored.

    What was only picked up from a message takes its text along where its author is one of `author_ids`, if there
    are any: nobody takes the words of somebody else who never asked the bot for anything.
    """
    taken = [
        source
        for source in said
        if author_ids is None or source.is_explicit or source.author_id in author_ids
    ]
    return [
        *(source.message_id for source in taken),
        *commands_of([source.cause for source in taken]),
    ]


def commands_of(causes: Sequence[str]) -> list[int]:
    """Return the messages that are these causes."""
    # "m:<message>", or "m:<message>:<edit>" of a command that was edited.
    parts = [cause.split(":") for cause in causes]
    return [int(cause[1]) for cause in parts if cause[0] == "m"]
