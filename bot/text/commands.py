"""The commands that members can give to the memory, as types.

The grammar of each language produces them; the handlers in `bot.chat` carry them out.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class StopRemembering:
    """As in "stop remembering me": nothing of the asker is kept from now on."""


@dataclass(frozen=True, slots=True)
class RememberAgain:
    """As in "remember me again": the asker is remembered as everybody is."""


@dataclass(frozen=True, slots=True)
class BePrivate:
    """As in "keep me private": others are told nothing about the asker, or what they always were."""

    private: bool


@dataclass(frozen=True, slots=True)
class ChooseCategory:
    """As in "keep my events for 30 days": one kind of memory about the asker."""

    category: str
    """A category of facts, or the profile."""
    kept: bool
    days: int | None = None
    """After so many days it goes; `None`: when everything of its age goes."""


@dataclass(frozen=True, slots=True)
class TellCategories:
    """As in "which kinds of memories do you keep of me?"."""


@dataclass(frozen=True, slots=True)
class ExportMine:
    """As in "send me what you keep about me": a file of it, for the asker alone."""


@dataclass(frozen=True, slots=True)
class EraseMine:
    """As in "forget me completely": all of it goes, after asking."""


@dataclass(frozen=True, slots=True)
class ForgetKind:
    """As in "forget my birthday", "forget Bob's preferences": what is known of one kind about `about`."""

    kind: str
    """As written; `bot.text.grammar.kinds` knows what it means."""
    about: str


@dataclass(frozen=True, slots=True)
class ForgetSaid:
    """As in "forget everything in this channel since Monday": messages, with all that rests on them."""

    mine: bool = False
    """What the asker said, and nobody else."""
    here: bool = False
    """In the channel in which it is asked."""
    since: str | None = None
    """From when on, as written."""


HERE: Final = "here"
"""The channel in which something is asked."""


@dataclass(frozen=True, slots=True)
class Remember:
    """As in "remember that gruzilkin is Sergey": the statement is everything after "that", as written."""

    statement: str


@dataclass(frozen=True, slots=True)
class RememberThis:
    """As in "remember this [about Florent]": the message replied to, else the last messages of `about`."""

    about: str | None = None


@dataclass(frozen=True, slots=True)
class Remind:
    """As in "remember to buy milk": the bot reminds of nothing, and offers to keep it."""

    note: str
    """The command that keeps it."""


@dataclass(frozen=True, slots=True)
class Forget:
    """As in "forget that gruzilkin likes pizza": the facts that say `statement`."""

    statement: str


@dataclass(frozen=True, slots=True)
class ForgetThis:
    """As in "forget that", "don't remember this": the message replied to, else the asker's previous one."""


@dataclass(frozen=True, slots=True)
class ForgetEverything:
    """As in "forget everything about me": every fact about `about`, after asking."""

    about: str


@dataclass(frozen=True, slots=True)
class ReplaceValue:
    """As in "no, I said Tuesday": the last write says `value` instead."""

    value: str
    instead_of: str | None = None
    """What was wrong, where that was said too: Monday in "Tuesday, not Monday"."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """As in "scratch that": the last write is undone."""


@dataclass(frozen=True, slots=True)
class MoveSubject:
    """As in "that was Bob, not me": the last write is about `to`."""

    to: str


@dataclass(frozen=True, slots=True)
class AskMemory:
    """As in "what do you know about @user": everything visible about `about`; `None` is the guild itself."""

    about: str | None


class QuestionForm(Enum):
    """By which word a question asks, which says what can be an answer."""

    WHEN = "when"
    WHERE = "where"
    WHO = "who"
    HOW_OLD = "how_old"
    HOW_MANY = "how_many"
    WHAT = "what"
    WHETHER = "whether"


@dataclass(frozen=True, slots=True)
class AskFact:
    """As in "when is Anna's birthday?", "who likes ramen?": the facts that answer one question."""

    form: QuestionForm
    words: str
    """What is asked, and about whom, without the word that asks: "Anna's birthday", "Bob play chess"."""
    topic: str = ""
    """What is asked for where no word says it: "what does Bob do?" asks for his work."""


@dataclass(frozen=True, slots=True)
class Search:
    """As in "when did we talk about ramen": messages that hold the words of `topic`."""

    topic: str


@dataclass(frozen=True, slots=True)
class AskCatchUp:
    """As in "what did I miss in #general since Monday?": what was said while the asker was away."""

    channel: str | None = None
    """`HERE`, or a channel as written, `<#id>` or `#name`; `None`: wherever it may be told."""
    since: str | None = None
    """From when on, as written; `None`: since the asker's own last message."""


@dataclass(frozen=True, slots=True)
class AskWhy:
    """As in "how do you know that?": what an answer of the bot's rests on."""


@dataclass(frozen=True, slots=True)
class AskFigures:
    """As in "show my stats", "how much do you know?": how much is kept of the asker."""


@dataclass(frozen=True, slots=True)
class AskHelp:
    """As in "help": what can be said to the bot."""


@dataclass(frozen=True, slots=True)
class KeepNothingHere:
    """As in "don't remember anything in this channel", which only managers can order, by a setting."""


@dataclass(frozen=True, slots=True)
class AskPrivacy:
    """As in "privacy", "what do you keep?": what is kept here, for how long, and who sees it."""


Command: TypeAlias = (
    Remember
    | RememberThis
    | Remind
    | Forget
    | ForgetThis
    | ForgetEverything
    | ForgetKind
    | ForgetSaid
    | ReplaceValue
    | TakeBack
    | MoveSubject
    | AskMemory
    | AskFact
    | Search
    | AskCatchUp
    | AskWhy
    | AskFigures
    | AskHelp
    | AskPrivacy
    | KeepNothingHere
    | StopRemembering
    | RememberAgain
    | BePrivate
    | ChooseCategory
    | TellCategories
    | ExportMine
    | EraseMine
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One of the commands that a message gives."""

    command: Command
    text: str
    """Words that surely give it: those of the message, put right where they were misspelt or not clear."""
    sure: bool = True
    """Nothing else can be meant; what changes something and is not sure is asked back."""
