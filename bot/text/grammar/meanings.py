"""What the rows of the languages' grammars mean: one command for each name of a row.

A language says what it calls whom and what can be a statement in it; the rest is the same in all.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.text.commands import (
    AskCatchUp,
    AskFigures,
    AskHelp,
    AskMemory,
    AskPrivacy,
    AskWhy,
    BePrivate,
    Command,
    EraseMine,
    ExportMine,
    Forget,
    ForgetEverything,
    ForgetKind,
    ForgetThis,
    KeepNothingHere,
    Remember,
    RememberAgain,
    RememberThis,
    Search,
    StopRemembering,
    TellCategories,
)
from bot.text.grammar.corrections import CORRECTIONS, as_put_right
from bot.text.grammar.kinds import FACT_KIND, MEMORY_KIND, keep_kind, keep_kind_for, leave_kind_out
from bot.text.grammar.periods import PERIODS, is_since
from bot.text.grammar.rules import Build, Rule, SpokenText, fixed, plain, rule
from bot.text.languages import either, filled, rows, with_gaps

MOST_WORDS_ABOUT: Final = 12
"""Words of a topic; more are a story, and what it asks for is not sure."""

_GAP: Final = r"\s+"
_MENTION: Final = re.compile(r"(?:<@!?\d+>|@\S+)")
_ASKS_INSIDE: Final = re.compile(r"\?(?:\s|$)")

COMMON_PARTS: Final = {
    "memory_kind": MEMORY_KIND,
    "fact_kind": FACT_KIND,
    "somebody": r"(?P<y><@!?\d+>|@\S+|[^\W\d_][\w-]*)",
    "short": r"[^,;?\n]{1,60}?",
    "x": r"(?P<x>{short})",
    "y": r"(?P<y>{short})",
    "capital": rf"(?-i:{either('capital')})[^,;?\n]{{0,40}}?",
    "begins_a_value": rf"(?:\d|(?-i:{either('capital')})|{either('begins_a_value', gap=_GAP)}\b)",
    # Neither that of an address nor that of a clock.
    "colon": r"\s*(?<!\d):(?!//)\s*",
    "excepts": either("excepts", gap=_GAP),
}
"""Parts of patterns that are the same in every language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What the meanings ask of a language; all of it is looked for in words with е for ё."""

    subject: str
    """Who asks, as a subject."""
    me: frozenset[str]
    """The same, as somebody about whom things are forgotten."""
    guild: str
    """A pattern of what means everybody here."""
    pointed_at: frozenset[str]
    """What means something said before: nothing can be looked up by it."""
    is_memory: Callable[[str], bool]
    """Whether what follows "remember that" can be a statement: "that time we met" is none."""
    is_clause: Callable[[str], bool]
    """Whether what follows a bare "remember" clearly is one, with subject and verb."""
    is_own: Callable[[str], bool]
    """Whether what stands before "remember that" may be kept by it: a sentence of its own."""
    may_tell: Callable[[str], bool]
    """Whether what follows a bare "remember" may be one: "when we met" may not."""
    notes: str
    """The command that keeps what stands for its star, whatever that is."""


def asks_inside(words: str) -> bool:
    """Return whether something in `words` is a question by its mark."""
    return _ASKS_INSIDE.search(plain(words)) is not None


def is_mention(words: str) -> bool:
    """Return whether `words` are a bare mention."""
    return _MENTION.fullmatch(words) is not None


class Meanings:
    """What makes the command of each row, in one language."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self._guild = re.compile(with_gaps(speech.guild), re.IGNORECASE)
        self.by_name: Final[dict[str, Build | None]] = _ALIKE | {
            "remember": self.remember,
            "remember_clause": lambda said: self.remember(said) if speech.is_clause(said) else None,
            "remember_for": self._remember_for,
            "remember_for_clause": (
                lambda limit, said: self._remember_for(limit, said) if speech.is_clause(said) else None
            ),
            "forget": self._forget,
            "forget_my_kind": lambda kind: ForgetKind(kind, speech.subject),
            "ask": self.ask,
            "who_am_i": fixed(AskMemory(speech.subject)),
        }

    def remember(self, statement: str) -> Command | None:
        """Return the command to remember `statement`, if it can be one."""
        return Remember(as_put_right(statement)) if self._speech.is_memory(statement) else None

    def ask(self, about: str) -> Command | None:
        """Return the question what is known about somebody or something, or about all here."""
        if self._guild.fullmatch(plain(about)):
            return AskMemory(None)
        if plain(about).lower() in self._speech.pointed_at or len(about.split()) > MOST_WORDS_ABOUT:
            return None
        return AskMemory(about)

    def _remember_for(self, limit: str, statement: str) -> Command | None:
        """How long it is to be remembered stands in brackets behind what is."""
        return self.remember(f"{statement.rstrip(' .!')} ({limit})")

    def _forget(self, statement: str) -> Command | None:
        """A bare mention is somebody: all about them; other words are what the facts say."""
        if plain(statement).lower() in self._speech.me or is_mention(statement):
            return ForgetEverything(statement)
        return Forget(statement)


def _remember_noted(statement: str) -> Command | None:
    return None if asks_inside(statement) else Remember(statement)


def _remember_this_about(about: str) -> Command | None:
    return RememberThis(about) if len(about.split()) <= 4 and ":" not in about else None


def _search(topic: str, when: str = "") -> Command | None:
    """When it was said is one of the words that are searched for; a time alone asks for all that was said since."""
    if is_since(topic) and not when:
        return AskCatchUp(since=topic)
    return Search(f"{topic} {when}".strip()) if len(topic.split()) <= MOST_WORDS_ABOUT else None


_ALIKE: Final[dict[str, Build | None]] = {
    "nothing": None,
    "remember_noted": _remember_noted,
    "remember_this": fixed(RememberThis()),
    "remember_this_about": _remember_this_about,
    "forget_words": Forget,
    "forget_all": ForgetEverything,
    "forget_this": fixed(ForgetThis()),
    "forget_kind": ForgetKind,
    "stop_remembering": fixed(StopRemembering()),
    "remember_again": fixed(RememberAgain()),
    "private": fixed(BePrivate(True)),
    "public": fixed(BePrivate(False)),
    "leave_out": leave_kind_out,
    "keep_kind": keep_kind,
    "keep_kind_for": keep_kind_for,
    "categories": fixed(TellCategories()),
    "export": fixed(ExportMine()),
    "erase": fixed(EraseMine()),
    "ask_guild": fixed(AskMemory(None)),
    "search": _search,
    "help": fixed(AskHelp()),
    "why": fixed(AskWhy()),
    "figures": fixed(AskFigures()),
    "privacy": fixed(AskPrivacy()),
    "keep_nothing_here": fixed(KeepNothingHere()),
    **CORRECTIONS,
    **PERIODS,
}


class Grammar:
    """The rules of one language: tables with a row `name: pattern` for each sentence, tried in their order."""

    def __init__(
        self,
        by_name: Mapping[str, Build | None],
        parts: Mapping[str, str],
        *,
        changes: str,
        requests: str,
        asks: str,
        doubts: str,
        speech: Speech,
        after_write: str,
        only_asked: str = "",
    ) -> None:
        """Make the rules.

        `changes` change something, `asks` change nothing. Of "can you ...?" those of `changes` are tried whose name has
        a star, and `requests`. `only_asked` are tried where the sentence ends in a question mark. `doubts` are what
        may be commands: the name of each row says it surely, with a star for what its pattern catches. `after_write`
        are sure only as said to the bot after a write of the same author.
        """

        def made(table: str, *, starred: bool = False) -> list[Rule]:
            return [
                rule(filled(pattern, parts), by_name[name.rstrip("*")])
                for name, pattern in rows(table)
                if name.endswith("*") or not starred
            ]

        always = made(asks)
        self._asked = [*always, *made(only_asked)]
        self._all = [*made(changes), *always]
        self._requests = [*made(changes, starred=True), *made(requests), *always]
        self._doubts = [
            (re.compile(with_gaps(filled(pattern, parts)), re.IGNORECASE | re.DOTALL), surely)
            for surely, pattern in rows(doubts)
        ]
        self.speech: Final = speech
        self.denial: Final = re.compile(with_gaps(filled("{no}", parts)), re.IGNORECASE)
        """Words before a sentence that say that something else was wrong."""
        self.accusation: Final = re.compile(with_gaps(filled("{denied}", parts)), re.IGNORECASE)
        """Those of them that say nothing else: "that's wrong"."""
        self.in_reply: Final = made(
            after_write
            + "plausible: (?!{bare_no}(?!{no}|{begins_a_value})){no}{x}\nwhole: {no}{if_i_said}(?P<x>[^?\\n]+)"
        )
        """What is sure only in reply to a confirmation: "no, pasta" may be said to anybody about anything.

        Without a mark behind the "no" it has to look like a value: "no rush" and "no clue" put nothing right.
        """
        self.after_write: Final = made(
            after_write + "plausible: {plain_no}{x}\nplausible: {i_said},? {x}\nsaid_anew: {denied}{x}"
        )
        """What is sure only as said to the bot after a write of the same author."""

    def rules_for(self, spoken: SpokenText) -> Sequence[Rule]:
        """Return the rules that may be tried on `spoken`: a question is never tried on those that change anything."""
        if spoken.request:
            return self._all if spoken.please else self._requests
        return self._asked if spoken.asks else self._all

    def doubtful(self, spoken: SpokenText) -> Iterator[str]:
        """Yield what `spoken` may mean, in words that would surely mean it."""
        for pattern, surely in self._doubts:
            if match := pattern.fullmatch(spoken.plain):
                has_words = "x" in pattern.groupindex
                caught = spoken.written[slice(*match.span("x"))].strip(" \t\r\n,;:") if has_words else ""
                if not has_words or self.speech.may_tell(caught):
                    yield surely.replace("*", caught)
