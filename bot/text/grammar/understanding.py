"""All commands that a message gives, each with whether it is sure; a pure function of the words.

A message may give several ("remember that I like tea and forget that I like coffee", two lines), misspelt ("rember i
hate olives"), among other sentences ("I'm vegan. Remember that. See you!"), or as a list.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from bot.text.clauses import clauses
from bot.text.commands import (
    AskCatchUp,
    AskFact,
    AskFigures,
    AskHelp,
    AskMemory,
    AskPrivacy,
    AskWhy,
    Command,
    Forget,
    ForgetEverything,
    ForgetKind,
    ForgetThis,
    KeepNothingHere,
    MoveSubject,
    Parsed,
    QuestionForm,
    Remember,
    RememberThis,
    ReplaceValue,
    Search,
    TakeBack,
    TellCategories,
)
from bot.text.grammar.parser import GRAMMARS, LONGEST_COMMAND, is_question, parse
from bot.text.grammar.rules import SpokenText, plain
from bot.text.grammar.spelling import Respelled, respelled_order, respelled_question
from bot.text.language_detection import detect_language
from bot.text.languages import either, every_word
from bot.text.orders import ORDERS_ABROAD, QUOTED
from bot.text.phrasing import speaks_of_author
from bot.text.questions import means_asker, question_of

MOST_COMMANDS: Final = 10
"""Commands of one message; what comes after them is not carried out."""

_PLAIN_FORMS: Final = frozenset(QuestionForm) - {QuestionForm.WHETHER}
"""Forms of questions that have a question word; among others a sentence with a mark may be talk."""
_ONLY_READS: Final = (
    AskFact,
    AskMemory,
    AskHelp,
    AskWhy,
    AskFigures,
    AskPrivacy,
    AskCatchUp,
    KeepNothingHere,
    Search,
    TellCategories,
)
_HOLDS_TEXT: Final = (Remember, Forget)
"""What stands behind their words is kept or looked for, and may hold another command."""

_CORRECTS: Final = (ReplaceValue, MoveSubject, TakeBack)
_POINTS: Final = (RememberThis, ForgetThis)
"""What means something that was said before; behind "and" that is hardly ever a command."""

_JOINED: Final = re.compile(
    rf"(?P<end>[.!?…;]+[\s)\"»”]+|\s*\n\s*)|(?P<joint>\s*,?\s+{either('joins_commands')}\s+(?={either('begins_a_command')})|(?P<comma>\s*,\s+)(?={either('order_first')}\b))",
    re.IGNORECASE,
)
_OPENS: Final = re.compile(rf"(?:\b{either('opens_a_statement')}|[:,])$", re.IGNORECASE)
"""What a statement still has to follow."""
_LIST: Final = re.compile(
    rf"(?P<head>{either('heads_a_list')})\s*:?\s*\n(?P<items>.+)", re.IGNORECASE | re.DOTALL
)
_ITEM: Final = re.compile(r"^\s*(?:[-*•–—]|\d{1,2}[.)])\s*(\S.*?)\s*$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"(?<!\S)(\d{1,2})[.)]\s+(?=\S)")
_SAYS_THAT: Final = re.compile(either("says_that"), re.IGNORECASE)
_FAREWELL: Final = re.compile(rf"{either('farewell')}[\s.!)]*", re.IGNORECASE)
_ORDER_FIRST: Final = re.compile(rf"(?:{either('order_first')}|{ORDERS_ABROAD})(?!\w)", re.IGNORECASE)
_NO_ORDER: Final = re.compile(rf"{either('no_order_first')}[\s.!?)]*$", re.IGNORECASE)
"""Idioms, and what is said of somebody's memory."""
_HOW_ARE_YOU: Final = re.compile(rf"{either('asked_without_mark')}[\s.!?…)]*", re.IGNORECASE)
_ABROAD: Final = re.compile(rf"(?:{ORDERS_ABROAD})(?!\w)", re.IGNORECASE)
_ORDER_LAST: Final = re.compile(rf"[,.!] {either('order_last')}[\s.!]*$", re.IGNORECASE)
_ABOUT_MEMORY: Final = re.compile(
    rf"(?<!\w)(?:(?P<forget>{either('about_forgetting')})|{either('about_remembering')})(?!\w)", re.IGNORECASE
)
_TOKEN: Final = re.compile(r"[\w'’]+")
_BETWEEN_THINGS: Final = re.compile(
    rf"\s*,\s*(?:{either('joins_names')}\s+)?|\s+(?:{either('joins_names')}|&)\s+", re.IGNORECASE
)
_AND_THAT: Final = re.compile(rf"\s{either('joins_names')}\s+{either('opens_a_statement')}\s", re.IGNORECASE)
_CHATTER: Final = every_word("chatter")
_KIDDING: Final = re.compile(rf"[\s,.;(-]+{either('just_kidding')}[\s.!)]*$", re.IGNORECASE)
_REVOKES: Final = re.compile(rf"{either('revokes')}[\s.!]*", re.IGNORECASE)
_ONLY_LAUGHS: Final = re.compile(either("nothing_but_laughter"), re.IGNORECASE)


def understood(text: str) -> tuple[Parsed, ...]:
    """Return the commands that `text` gives, in their order, at most `MOST_COMMANDS`; none where there is none.

    `text` is what remains of a message after the bot's name. Nothing is raised, whatever the text.
    """
    if len(text) > LONGEST_COMMAND:
        return ()
    if listed := _listed(text):
        return listed[:MOST_COMMANDS]
    whole = _one(text)
    parts = list(_parts(text))
    found = [] if whole is None else [whole]
    # A correction is one sentence, whatever marks are in it: "no. Tuesday", "correction: ...".
    if len(parts) > 1 and not (whole is not None and isinstance(whole.command, _CORRECTS)):
        found = _commands_among(text, parts) or found
    return tuple(each for one in found for each in _each_to_forget(one))[:MOST_COMMANDS]


def _each_to_forget(one: Parsed) -> list[Parsed]:
    """Return an order to forget several things as one for each: "my birthday and my job", "that ... and that ..."."""
    if not isinstance(one.command, Forget):
        return [one]
    said = one.command.statement
    head = one.text[: max(0, one.text.find(said))]
    if _AND_THAT.search(said) and len(apart := clauses(said)) > 1:
        return [replace(one, command=Forget(each), text=f"{head}{each}") for each in apart]
    first, *others = _BETWEEN_THINGS.split(said)
    owner = first.partition(" ")[0]
    if not others or not means_asker(owner.lower()):
        return [one]
    if isinstance(parse(f"{head}{first}"), ForgetKind):
        others = [f"{owner} {each}" if len(each.split()) == 1 else each for each in others]
    elif not all(each.startswith(f"{owner} ") for each in others):
        # "My mom and dad's address" is one thing.
        return [one]
    texts = [f"{head}{each}" for each in (first, *others)]
    orders = [Parsed(command, text, one.sure) for text in texts if (command := parse(text))]
    takes_kinds = any(isinstance(order.command, ForgetKind) for order in orders)
    return orders if takes_kinds and len(orders) == len(texts) and all(map(_takes_one, orders)) else [one]


def _takes_one(order: Parsed) -> bool:
    """Tell whether an order takes one thing of its own: a kind, all of somebody, or what begins with "my"."""
    if isinstance(order.command, Forget):
        return means_asker(order.command.statement.partition(" ")[0].lower())
    return isinstance(order.command, (ForgetKind, ForgetEverything))


def starts_like_order(text: str) -> bool:
    """Tell whether `text` begins with an order to a memory, whatever follows: "vergiss alles", "remember Bob"."""
    even = plain(text)
    if _ORDER_FIRST.match(even):
        return _NO_ORDER.match(even) is None or asks(text)
    return _ORDER_LAST.search(even) is not None


def order_in(text: str) -> Literal["remember", "forget", "abroad"] | None:
    """Return what `text` seems to order, though it gives no command: "remember me", "forget it", "vergiss mich"."""
    if _ABROAD.match(plain(text)):
        return "abroad"
    if found := _ABOUT_MEMORY.search(plain(text)):
        return "forget" if found["forget"] else "remember"
    return None


def asks(text: str) -> bool:
    """Tell whether `text` is a question, by its form or by its mark alone, and no "how are you?"."""
    even = plain(text.strip())
    if _HOW_ARE_YOU.fullmatch(even):
        return False
    return is_question(text) or even.rstrip(" .!)").endswith("?")


def may_ask(text: str) -> bool:
    """Tell whether `text`, which is said to the bot, may ask something: many type a question without its mark.

    A greeting does not, nor does what exclaims, nor what somebody says of themselves or of the bot in a sentence
    without a question word: "I had noodles", "you are funny".
    """
    if asks(text):
        return True
    even = _GREETS_FIRST.sub("", plain(text.strip()))
    if len(even.split()) < _LEAST_ASKED or even.endswith("!") or _HOW_ARE_YOU.fullmatch(even):
        return False
    return _STATES.match(even) is None or not _QUESTION_WORDS.isdisjoint(even.split())


_LEAST_ASKED: Final = 2
"""Words that ask something without a mark; one alone is a cry or an answer."""

_SENTENCES: Final = re.compile(r"(?<=[.!?…;])\s+|\n+")
_ASKS_FOR_WORDS: Final = re.compile(
    rf"\W*(?:{either('greeting')}[\s,!]+)*{either('asks_for_words')}", re.IGNORECASE
)
_GREETS: Final = re.compile(rf"\W*(?:{either('greeting')}\W*)+", re.IGNORECASE)
_GREETS_FIRST: Final = re.compile(rf"\A\W*(?:{either('greeting')}(?!\w)\W*)+", re.IGNORECASE)
_CLAUSE: Final = re.compile(rf"[,:()—–]+|\s-+\s|\s{either('joins_clauses')}\s", re.IGNORECASE)
_QUESTION_WORDS: Final = every_word("question_words")
_UNDERSTOOD: Final = frozenset({"English", "Russian"})
"""The languages whose clauses can be told to be about who says them."""
_STATES: Final = re.compile(rf"\W*(?:{either('own')}|{either('to_the_bot')})(?!\w)", re.IGNORECASE)
"""How a statement about its author or about the bot begins."""
_OF_ONESELF: Final = re.compile(rf"\W*{either('own')}(?!\w)(?:\W+\w+){{2}}", re.IGNORECASE)


def states_nothing(text: str) -> bool:
    """Tell whether `text` does nothing but ask, order some words ("tell me ...") and greet.

    A clause that begins with who says it states something, also beside a question: "what shall I cook, I'm vegan". In
    a language of which that cannot be told any clause beside the question may.
    """
    tongue = detect_language(text)
    is_abroad = tongue is not None and tongue.name not in _UNDERSTOOD
    for sentence in _SENTENCES.split(QUOTED.sub(" ", text).strip()):
        even = plain(sentence)
        if _GREETS.fullmatch(even):
            continue
        first = even.split(maxsplit=1)[0].strip(".,!…") if even.strip() else ""
        if not (_ASKS_FOR_WORDS.match(even) or first in _QUESTION_WORDS or asks(sentence)):
            return False
        clauses = [clause for clause in _CLAUSE.split(even) if len(clause.split()) > 1]
        if any(map(_OF_ONESELF.match, clauses)) or (is_abroad and len(clauses) > 1):
            return False
    return True


def is_laughter(text: str) -> bool:
    """Tell whether `text` is only laughter, or says that something was a joke."""
    return _ONLY_LAUGHS.fullmatch(plain(text.strip())) is not None


def is_joke(text: str) -> bool:
    """Tell whether `text` says of itself that it is no earnest."""
    return is_laughter(text) or _KIDDING.search(plain(text)) is not None


def _one(text: str) -> Parsed | None:
    """Return the command of one sentence."""
    if command := parse(text):
        return _earnest(Parsed(command, text))
    if (order := respelled_order(text)) and (command := parse(order.text)):
        return _earnest(Parsed(command, order.text, sure=_is_sure(order, command)))
    if (question := respelled_question(text)) and isinstance(command := parse(question.text), _ONLY_READS):
        return Parsed(command, question.text)
    return _doubtful(order.text if order else text)


def _is_sure(order: Respelled, command: Command) -> bool:
    """Tell whether a command that was put right can be nothing else: behind a slip a sentence of its own."""
    if not order.slipped or isinstance(command, _ONLY_READS):
        return True
    if not isinstance(command, _HOLDS_TEXT):
        return False
    return _SAYS_THAT.search(plain(order.text)) is not None or _is_clause(command.statement)


def _earnest(parsed: Parsed) -> Parsed:
    """Return a command that changes something, without its certainty where it says itself that it is a joke."""
    if not isinstance(parsed.command, _ONLY_READS) and (joke := _KIDDING.search(plain(parsed.text))):
        text = parsed.text[: joke.start()]
        command = parse(text)
        return Parsed(command, text, sure=False) if command else parsed
    return parsed


def _doubtful(text: str) -> Parsed | None:
    """Return what `text` may mean, in words that surely mean it."""
    spoken = SpokenText.of(text)
    if spoken.asks:
        return None
    for grammar in GRAMMARS:
        for surely in grammar.doubtful(spoken):
            command = parse(surely)
            if isinstance(command, ForgetEverything):
                # Before that is carried out it is asked about anyhow.
                return Parsed(command, surely)
            if isinstance(command, Remember) and _is_telling(command.statement):
                return Parsed(command, surely, sure=False)
    return None


def _is_telling(statement: str) -> bool:
    words = [word.lower() for word in _TOKEN.findall(plain(statement))]
    return any(word not in _CHATTER for word in words)


def _is_clause(words: str) -> bool:
    return any(grammar.speech.is_clause(words) for grammar in GRAMMARS)


def _listed(text: str) -> tuple[Parsed, ...]:
    """Return what is to be remembered of a list, one thing for each of its lines, or numbers in one line."""
    text = _by_lines(text)
    found = _LIST.fullmatch(plain(SpokenText.of(text).written))
    if found is None:
        return ()
    items = _ITEM.findall(SpokenText.of(text).written[found.start("items") :])
    lines = [line for line in found["items"].splitlines() if line.strip()]
    if len(items) < 2 or len(items) != len(lines):
        return ()
    said = (item.rstrip(",; ") for item in items)
    return tuple(noted for item in said if (noted := _noted(item, like=found["head"])) is not None)


def _by_lines(text: str) -> str:
    """Return `text` with a line for each thing that it counts up from one: "1) I like tea 2) I hate coffee"."""
    numbers = [int(found[1]) for found in _NUMBERED.finditer(text)]
    if len(numbers) < 2 or numbers != [*range(1, len(numbers) + 1)]:
        return text
    return _NUMBERED.sub(lambda found: f"\n{found[0]}", text)


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a message, with how it is joined to the one before."""

    start: int
    end: int
    joint: bool
    """An "and" stands before it, no mark and no new line."""


def _parts(text: str) -> Iterator[_Part]:
    """Yield the sentences of `text`, and what an "and" joins to them that begins as a command does."""
    even = plain(text)
    # Quoted words give no command.
    masked = QUOTED.sub(lambda quoted: "x" * len(quoted.group()), even)
    marks = [(0, 0, False)]
    marks += [
        (one.start(), one.end(), one["joint"] is not None)
        for one in _JOINED.finditer(masked)
        if not _OPENS.search(masked, 0, one.start())
        # "You suck, remember that" gives no order: a comma joins one order to another.
        and (one["comma"] is None or _ORDER_FIRST.match(even))
    ]
    marks.append((len(text), len(text), False))
    for (_, start, joint), (end, behind, is_joint) in pairwise(marks):
        # The mark belongs to the sentence: a question is known by it.
        stop = end if is_joint else min(behind, len(text))
        if text[start:stop].strip():
            yield _Part(start, stop, joint)


def _commands_among(text: str, parts: list[_Part]) -> list[Parsed]:
    """Return the commands that the parts of a message give; what says more of one goes with it."""
    found: list[Parsed] = []
    begins: int | None = None
    """Where the last command begins, as long as what follows may belong to what it says."""
    before = ""
    has_talked = False
    for part in parts:
        said = text[part.start : part.end].strip()
        one = _one(said) or _asked(said)
        holds_text = bool(found) and isinstance(found[-1].command, _HOLDS_TEXT)
        if one is not None and begins is not None and holds_text and not _is_another(one, part, said):
            # Whether it is a command, or more of what was said, only who said it knows.
            found[-1] = replace(_longer(found[-1], text[begins : part.end]), sure=False)
        elif one is not None:
            if isinstance(one.command, RememberThis) and before:
                one = _noted(before, like=said) or one
            elif not found and has_talked and not _speaks_of_author(one):
                # "You got this! Stay motivated and remember that anything is possible" is said to somebody.
                one = replace(one, sure=False)
            found.append(one)
            begins = part.start if isinstance(one.command, (*_HOLDS_TEXT, ForgetKind)) else None
        elif begins is not None and (holds_text or part.joint) and _goes_on(said):
            found[-1] = _longer(found[-1], text[begins : part.end])
        else:
            if found and (is_joke(said) or _REVOKES.fullmatch(plain(said))):
                found[-1] = replace(
                    found[-1], sure=found[-1].sure and isinstance(found[-1].command, _ONLY_READS)
                )
            begins = None
        before = said if one is None and _is_own(said) else ""
        has_talked = has_talked or (one is None and _is_telling(said))
    # Without any other command a question is none of the grammar's.
    return [] if all(isinstance(one.command, AskFact) for one in found) else found


def _asked(said: str) -> Parsed | None:
    """Return the question for a fact beside other commands."""
    question = question_of(said) if asks(said) else None
    return Parsed(question, said) if isinstance(question, AskFact) and question.form in _PLAIN_FORMS else None


def _is_another(one: Parsed, part: _Part, said: str) -> bool:
    """Tell whether what stands behind a statement is a command of its own: "and forget that I like tea"."""
    if isinstance(one.command, _ONLY_READS):
        return True
    if isinstance(one.command, _CORRECTS):
        return False
    if not part.joint:
        return True
    if not one.sure:
        return False
    if isinstance(one.command, _HOLDS_TEXT):
        return _SAYS_THAT.search(plain(said)) is not None
    return not isinstance(one.command, _POINTS)


def _speaks_of_author(one: Parsed) -> bool:
    return not isinstance(one.command, Remember) or speaks_of_author(one.command.statement)


def _goes_on(said: str) -> bool:
    """Tell whether a sentence behind a statement may be more of it: no question, no farewell, no laughter."""
    even = plain(said)
    if even.endswith("?") or is_question(said) or is_laughter(said):
        return False
    if _FAREWELL.fullmatch(even) or _REVOKES.fullmatch(even):
        return False
    return _is_telling(said)


def _longer(one: Parsed, text: str) -> Parsed:
    longer = _one(text.strip())
    if longer is not None and isinstance(one.command, ForgetKind):
        return longer if len(_each_to_forget(longer)) > 1 else one
    if longer is None or not isinstance(longer.command, type(one.command)):
        return one
    return replace(longer, sure=one.sure and longer.sure)


def _is_own(said: str) -> bool:
    return any(grammar.speech.is_own(SpokenText.of(said).written) for grammar in GRAMMARS)


def _noted(statement: str, *, like: str) -> Parsed | None:
    """Return the command that keeps a statement, in the language that is `like` these words."""
    words = next(
        (grammar.speech.notes for grammar in GRAMMARS if grammar.speech.notes.isascii() == like.isascii()), ""
    )
    text = words.replace("*", SpokenText.of(statement).written)
    command = parse(text)
    return Parsed(command, text) if isinstance(command, Remember) else None
