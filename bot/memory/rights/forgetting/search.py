"""What a forgetting may take (its reach), and which messages say a fact that is to be forgotten.
A message says a fact if it has to do with its subject (it is by them, names them by a mention or a name, or
answers them) and holds all content words of it: in one sentence that neither denies what the fact says nor
says what it denies, or spread over several. A single word is too little, since people say "pizza" for many
reasons, unless it is an identifier, is rare where it was said, is all that a sentence says, or stands in
the very words of the fact ("I own a boat": a search passes over "own").
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from itertools import chain
from typing import Final, Self

from bot.core.domain import GUILD_SUBJECT, OPEN, MessageKind
from bot.db.pool import Connection
from bot.memory.facts.repository_slots import Source
from bot.memory.messages import repository_quarantine
from bot.memory.outbox.removal_log import Remover
from bot.memory.policy import redaction
from bot.memory.policy.redaction import StemmedTexts, sentences_of
from bot.memory.rights.forgetting import repository
from bot.memory.rights.forgetting.meant import FactPart
from bot.memory.rights.forgetting.repository import Saying, SoughtWords
from bot.text import tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedWords:
    """What was ordered to be forgotten, in its own words."""

    subject_id: int
    author_id: int | None
    """Whose telling of it is meant; `None`: whoever tells it."""
    text: str
    """In the first or third person; "" is all that there is about the subject."""


class Sayings(Enum):
    """Which messages say what was ordered to be forgotten."""

    SURE = "sure"
    """Those that say a fact of the same words."""
    EVERY = "every"
    """Those too that hold the one word that was named, after it was asked whether they are meant."""


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
    sayings: Sayings | None = None
    """Which of what the asker (`by`) said in these `words` loses its text where no fact is held."""
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
    sayings: int = 0
    """How many of the asker's say it though no fact does."""
    stems: frozenset[frozenset[str]] = frozenset()
    """The stems of each wording that was looked for."""


async def messages_that_say(
    connection: Connection,
    *,
    guild_id: int,
    wordings: Iterable[Wording],
    words: StemmedTexts,
    author_ids: Sequence[int] | None,
    audiences: Sequence[int],
    one_is_enough: bool = False,
) -> FoundMessages:
    """Return the messages in `audiences` that say any of `wordings`, whose texts are among `words`.

    Those of other authors than `author_ids`, if there are any of these, are left. All are looked for by the same few
    statements. Of a wording of a single word any message that holds it says it if `one_is_enough`.
    """
    searches = _searches(wordings, words, one_is_enough=one_is_enough)
    called = {user_id for one in searches for user_id in (one.subject_id, *_named_in(one.words))}
    names = await repository.names_of(
        connection, guild_id=guild_id, user_ids=sorted(called), audiences=audiences
    )
    found = await repository.messages_holding(
        connection,
        guild_id=guild_id,
        audiences=audiences,
        sought=[
            SoughtWords(
                number=number,
                subject_id=one.subject_id,
                stems=one.stems,
                names=names.get(one.subject_id, ()),
                is_sought_elsewhere=bool(one.stems) and len(redaction.content_words(one.words)) > 1,
            )
            for number, one in enumerate(searches)
            if one.stems or one.subject_id != GUILD_SUBJECT
        ],
        most=MOST_MESSAGES,
        most_elsewhere=_LOOKED_AT,
    )
    finding = [searches[number] for number in {saying.number for saying in found}]
    said = await _Said.of(connection, guild_id, audiences, found, names, finding)
    saying_it = [saying for saying in found if searches[saying.number].is_said_by(saying, said)]
    taken = {
        saying.message_id: saying.kind
        for saying in saying_it
        if saying.is_near and _may_take(saying, author_ids)
    }
    left = dict.fromkeys(saying.message_id for saying in saying_it if saying.message_id not in taken)
    return FoundMessages(
        taken=taken,
        left_ids=tuple(left)[:MOST_LEFT],
        stems=frozenset(frozenset(one.stems) for one in searches),
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


def _searches(wordings: Iterable[Wording], words: StemmedTexts, *, one_is_enough: bool) -> list["_Search"]:
    """Return what is looked for, each words of a subject once; a name has no tone: nobody denies it."""
    texts: dict[tuple[int, frozenset[str]], list[str]] = {}
    for one in dict.fromkeys(wordings):
        needed = words.needed(one.text, subject_id=one.subject_id)
        if redaction.content_words(needed):
            said = redaction.content_words(needed) if one.is_name else needed
            texts.setdefault((one.subject_id, said), []).append(one.text)
    return [_Search(subject_id, said, given, one_is_enough) for (subject_id, said), given in texts.items()]


@dataclass(frozen=True, slots=True)
class _Said:
    """What found messages say, and what has to be known of the words that are looked for."""

    words: StemmedTexts
    """Of the sentences of the messages."""
    called: Mapping[int, Sequence[frozenset[str]]]
    """The words of each name of the members whom the words that are looked for speak of."""
    rare: Set[str]
    """Of the single words that are looked for, those that are rare where they were said."""

    @classmethod
    async def of(
        cls,
        connection: Connection,
        guild_id: int,
        audiences: Sequence[int],
        found: Sequence[Saying],
        names: Mapping[int, Sequence[str]],
        searches: Sequence["_Search"],
    ) -> Self:
        """Read what it takes to tell whether `found` say what they were found by, `searches`."""
        others = {user_id: names.get(user_id, ()) for one in searches for user_id in _named_in(one.words)}
        sentences = (sentence for saying in found for sentence in sentences_of(saying.text) or [""])
        words = await redaction.stemmed(
            connection, guild_id=guild_id, texts=chain(sentences, *others.values())
        )
        called = {user_id: [words.matter(name) for name in given] for user_id, given in others.items()}
        single = {word for one in searches for word in one.needed if not one.is_enough(frozenset())}
        rare = (
            await repository.rare_among(
                connection, guild_id=guild_id, audiences=audiences, stems=sorted(single), among=_RARE_IN
            )
            if single
            else frozenset[str]()
        )
        return cls(words, called, rare)


@dataclass(frozen=True, slots=True)
class _Search:
    """The search for one wording."""

    subject_id: int
    words: frozenset[str]
    texts: Sequence[str]
    """The sentences that have just these words."""
    one_is_enough: bool

    @property
    def needed(self) -> frozenset[str]:
        """The words without whether something is denied."""
        return redaction.content_words(self.words)

    @property
    def stems(self) -> list[str]:
        """What a message must hold as it is to be looked at."""
        return sorted(word for word in redaction.searchable_stems(self.words) if not word.isdecimal())

    def is_enough(self, rare: Set[str]) -> bool:
        """Tell whether whoever says these words says it: several, an identifier, or one of those that are rare."""
        return (
            self.one_is_enough
            or len(self.needed) > 1
            or any(redaction.names_one(word) or word in rare for word in self.needed)
        )

    def is_said_by(self, saying: Saying, said: _Said) -> bool:
        """Tell whether a message that holds the stems says it."""
        needed, is_enough = self.needed, self.is_enough(said.rare)
        sentences = [
            (sentence, self._with_ids(said.words.said(sentence), said))
            for sentence in sentences_of(saying.text) or [""]
        ]
        holding = [(sentence, words) for sentence, words in sentences if needed <= words]
        if holding:
            return any(
                self.words <= words and (is_enough or self._says_no_less(sentence, words))
                for sentence, words in holding
            )
        return is_enough and needed <= frozenset().union(*(words for _, words in sentences))

    def _with_ids(self, words: frozenset[str], said: _Said) -> frozenset[str]:
        """Return what a sentence says, with the ids of whom it calls by name."""
        called = (
            user_id
            for user_id in _named_in(self.words)
            if any(name and name <= words for name in said.called[user_id])
        )
        return words | {str(user_id) for user_id in called}

    def _says_no_less(self, sentence: str, said: frozenset[str]) -> bool:
        """Tell whether a sentence with the one word that is needed says nothing else, or all else that was said."""
        if redaction.content_words(said) - {str(self.subject_id)} == self.needed:
            return True
        spoken = tokens.content_stems(sentence)
        for text in self.texts:
            stems = tokens.content_stems(text) - {f"<@{self.subject_id}>"}
            # A text that is just the one word stands in every sentence that holds it.
            phrase = _phrase(text) if " " in text.strip() else None
            if (len(stems) > 1 and stems <= spoken) or (phrase and phrase in _phrase(sentence)):
                return True
        return False


_LONGEST_ID: Final = 20
_WORD: Final = re.compile(r"[\w<@>']+")


def _named_in(words: frozenset[str]) -> list[int]:
    """Return whom words speak of beside their subject: a message may call them by name."""
    return [int(word) for word in words if word.isdecimal() and len(word) < _LONGEST_ID]


def _phrase(text: str) -> str:
    """Return the words of `text` between blanks, so that one phrase is found in another by whole words alone."""
    return f" {' '.join(_WORD.findall(tokens.normalised(text)))} "


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


_COMMAND: Final = re.compile(r"m:(\d+)")
"""`m:<message>`, with `#<n>` behind it for a further command of one message, and `:<edit>` where it was edited."""


def commands_of(causes: Sequence[str]) -> list[int]:
    """Return the messages that are these causes."""
    return [int(found[1]) for cause in causes if (found := _COMMAND.match(cause))]
