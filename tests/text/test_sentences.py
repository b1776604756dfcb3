"""Every sentence is in every language, is said somewhere, and is given the values that it needs."""

import ast
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from bot.core.domain import Language
from bot.text.language_detection import COMMON_WORDS
from bot.text.sentences import (
    ABROAD,
    LOCALE,
    heard_abroad,
    plural_category,
    say,
    sentences,
    sentences_abroad,
)

BOT = Path(__file__).parents[2] / "bot"
ENGLISH = sentences(Language.ENGLISH)
SECTIONS = {key.partition(".")[0] for key in ENGLISH}
NUMBERS = (*range(201), 1_000, 1_000_000)


def placeholders(sentence: str | Mapping[str, str]) -> set[str]:
    forms = [sentence] if isinstance(sentence, str) else [*sentence.values(), "{count}"]
    return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name}


def letters(sentence: str) -> str:
    return "".join(literal for literal, *_ in string.Formatter().parse(sentence))


@pytest.mark.parametrize("language", Language)
def test_a_language_is_a_file_with_every_sentence(language: Language) -> None:
    assert {path.stem for path in LOCALE.glob("*.toml")} == set(Language)
    known = sentences(language)
    assert list(known) == list(ENGLISH), "the same keys in the same order"
    for key, sentence in known.items():
        assert placeholders(sentence) == placeholders(ENGLISH[key]), key
        assert isinstance(sentence, str) == isinstance(ENGLISH[key], str), key


@pytest.mark.parametrize("language", Language)
def test_what_counts_has_a_form_for_each_plural_category_that_cldr_has_for_whole_numbers(
    language: Language,
) -> None:
    categories = {plural_category(language)(number) for number in NUMBERS}
    for key, sentence in sentences(language).items():
        if not isinstance(sentence, str):
            assert set(sentence) == categories, key


@pytest.mark.parametrize("language", Language)
def test_no_sentence_was_left_in_another_language(language: Language) -> None:
    for key, sentence in sentences(language).items():
        for form in [sentence] if isinstance(sentence, str) else sentence.values():
            spoken = Language.of(letters(form))
            # In Russian, a sentence may name English values for the most part, but never for all of it.
            has_some = spoken is language or any(Language.of(letter) is language for letter in form)
            has_some = has_some or not any(map(str.isalpha, letters(form)))
            assert has_some or form == ENGLISH[key] or key == "language.in_english", f"{key}: {form}"


def test_numbers_take_their_form() -> None:
    english = [say("count.facts", Language.ENGLISH, count=number) for number in (0, 1, 2, 11, 21)]
    assert english == ["0 facts", "1 fact", "2 facts", "11 facts", "21 facts"]
    russian = [
        say("count.facts", Language.RUSSIAN, count=number) for number in (0, 1, 2, 5, 11, 12, 21, 22, 111)
    ]
    assert " ".join(russian) == (
        "0 фактов 1 факт 2 факта 5 фактов 11 фактов 12 фактов 21 факт 22 факта 111 фактов"
    )


FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted(BOT.rglob("*.py"))}
MENTIONS = re.compile(rf"\bKey\b|['\"](?:{'|'.join(SECTIONS)})\.")
TREES = {path: ast.parse(source) for path, source in SOURCES.items() if MENTIONS.search(source)}


def keys_in(node: ast.AST) -> Iterator[str]:
    """Yield the keys that stand in the code below `node`; of `f"category.{name}"` all of the section."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and looks_like_a_key(part.value):
            yield part.value
        if isinstance(part, ast.JoinedStr) and isinstance(part.values[0], ast.Constant):
            section, dot, rest = str(part.values[0].value).partition(".")
            if dot and not rest and section in SECTIONS:
                yield from (key for key in ENGLISH if key.startswith(f"{section}."))


def looks_like_a_key(text: str) -> bool:
    section, dot, name = text.partition(".")
    return bool(dot) and section in SECTIONS and name.isidentifier()


def test_each_key_in_the_code_is_a_sentence_and_each_sentence_is_said_somewhere() -> None:
    assert {key for tree in TREES.values() for key in keys_in(tree)} == set(ENGLISH)


@dataclass(frozen=True)
class Speaker:
    """A function that has an argument for a key."""

    definition: FunctionDef
    argument: str
    place: int
    """Of the argument, without `self`."""

    @property
    def arguments(self) -> set[str]:
        given = self.definition.args
        return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}

    def key_in(self, call: ast.Call) -> ast.expr | None:
        named = next((one.value for one in call.keywords if one.arg == self.argument), None)
        return call.args[self.place] if named is None and len(call.args) > self.place else named


def speakers_in(tree: ast.AST) -> Iterator[tuple[tuple[str, bool], Speaker]]:
    """Yield the functions that take a key, by their names and whether they are methods."""
    for node in ast.walk(tree):
        if isinstance(node, FunctionDef):
            arguments = [*node.args.args, *node.args.kwonlyargs]
            is_method = bool(arguments) and arguments[0].arg == "self"
            for place, one in enumerate(arguments[is_method:]):
                if is_key(one.annotation):
                    yield (node.name, is_method), Speaker(node, one.arg, place)


def is_key(annotation: ast.expr | None) -> bool:
    return annotation is not None and re.search(r"\bKey\b", ast.unparse(annotation)) is not None


SPEAKERS: dict[tuple[str, bool], list[Speaker]] = {}
for tree in TREES.values():
    for called, speaker in speakers_in(tree):
        SPEAKERS.setdefault(called, []).append(speaker)


def speakers_of(call: ast.Call) -> Sequence[Speaker]:
    match call.func:
        case ast.Name(id=name):
            return SPEAKERS.get((name, False), ())
        case ast.Attribute(attr=name):
            return SPEAKERS.get((name, True), ())
    return ()


def handed_on(speaker: Speaker) -> set[str]:
    """Return the values that a function gives by itself to the sentence whose key it was given."""
    return {
        name
        for call in ast.walk(speaker.definition)
        if isinstance(call, ast.Call)
        for inner in speakers_of(call)
        if isinstance(key := inner.key_in(call), ast.Name) and key.id == speaker.argument
        for name in {str(one.arg) for one in call.keywords if one.arg} - inner.arguments | handed_on(inner)
    }


def bound_to(name: str, scope: ast.AST) -> Iterator[ast.expr]:
    """Yield what `name` is made from in `scope`: by assignments, loops and comprehensions."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            made_from, targets = node.value, node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            made_from, targets = node.value, [node.target]
        elif isinstance(node, ast.For | ast.comprehension):
            made_from, targets = node.iter, [node.target]
        else:
            continue
        for target in targets:
            named = target.elts if isinstance(target, ast.Tuple) else [target]
            for place, one in enumerate(named):
                if isinstance(one, ast.Name) and one.id == name:
                    yield from column(made_from, place) if isinstance(target, ast.Tuple) else [made_from]


def column(made_from: ast.expr, place: int) -> Sequence[ast.expr]:
    """Return one column of a table that is written out, or else all that it is made from."""
    rows = made_from.elts if isinstance(made_from, ast.Tuple | ast.List) else []
    tuples = [row.elts for row in rows if isinstance(row, ast.Tuple)]
    return [row[place] for row in tuples] if tuples else [made_from]


def keys_of(expression: ast.expr, scopes: Sequence[ast.AST]) -> set[str]:
    """Return the keys that an expression may stand for, as far as its function and its module tell."""
    found = set(keys_in(expression))
    seen: set[str] = set()
    waiting = [expression] if not found else []
    while waiting:
        for one in ast.walk(waiting.pop()):
            if isinstance(one, ast.Name) and one.id not in seen:
                seen.add(one.id)
                made_from = next(filter(None, ([*bound_to(one.id, scope)] for scope in scopes)), [])
                keys = {key for node in made_from for key in keys_in(node)}
                found |= keys
                waiting += made_from if not keys else []
    return found


def calls_in(
    tree: ast.AST, scopes: tuple[ast.AST, ...] = ()
) -> Iterator[tuple[ast.Call, tuple[ast.AST, ...]]]:
    """Yield all calls, with the functions and the module around them from the inside out."""
    inner = (tree, *scopes) if isinstance(tree, FunctionDef | ast.Module) else scopes
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield node, inner
        yield from calls_in(node, inner)


FIELDS = {
    ast.unparse(node.target)
    for tree in TREES.values()
    for node in ast.walk(tree)
    if isinstance(node, ast.AnnAssign) and is_key(node.annotation)
}
"""Of objects that carry a key from where it is given to where it is said."""


def is_handed_on(key: ast.expr, scopes: Sequence[ast.AST]) -> bool:
    """Tell whether a key came to a function around as a `Key`: whoever gives it is looked at instead."""
    if isinstance(key, ast.Attribute):
        return key.attr in FIELDS
    return isinstance(key, ast.Name) and any(
        name == key.id and is_key(node.annotation)
        for scope in scopes
        if isinstance(scope, FunctionDef)
        for node in ast.walk(scope)
        if isinstance(node, ast.arg | ast.AnnAssign)
        for name in [node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)]
    )


def test_each_sentence_is_given_the_values_that_it_needs_and_no_others() -> None:
    wrong = []
    for path, tree in TREES.items():
        for call, scopes in calls_in(tree):
            for speaker in speakers_of(call):
                key = speaker.key_in(call)
                if key is None or is_handed_on(key, scopes):
                    continue
                where = f"{path.relative_to(BOT.parent)}:{call.lineno}: {ast.unparse(call)}"
                keys = keys_of(key, scopes)
                given = {str(one.arg) for one in call.keywords if one.arg} - speaker.arguments
                needed = [placeholders(ENGLISH[one]) for one in keys]
                unknown = any(one.arg is None for one in call.keywords)
                if not keys and not unknown:
                    wrong.append(f"{where}: which sentence is it?")
                if not unknown and any(names - given - handed_on(speaker) for names in needed):
                    wrong.append(f"{where}: values are missing")
                if keys and given - set().union(*needed):
                    wrong.append(f"{where}: values are given that no sentence takes")
    assert wrong == []


ABROAD_SECTIONS = {"count", "chat", "forget", "refusal", "rights", "category"}

ANSWERS: tuple[Literal["yes", "no", "all", "none"], ...] = ("yes", "no", "all", "none")

BUTTONS_ABROAD = {"notice.undo", "forgotten.details"}
"""Under answers to what was said."""

NEVER_ABROAD = frozenset(
    """
    count.days
    chat.everything_command chat.shall_i chat.shall_i_remember chat.shall_i_forget
    chat.no_reminders chat.rests_on chat.rests_on_nothing chat.rests_on_this chat.why_no_answer chat.why_what
    chat.missed chat.missed_since chat.missed_nothing chat.missed_nothing_since chat.missed_besides
    chat.missed_in_private chat.for_members chat.no_such_channel chat.said_by chat.of_a_talk chat.undone_already
    chat.not_from_here chat.corrected_since chat.not_yours_to_undo chat.answer chat.answer_by_asker chat.answer_own
    chat.answer_quoted chat.answer_message chat.answer_called chat.not_known chat.not_known_about chat.not_known_own
    chat.examples chat.who_i_am chat.nearest_remember chat.nearest_forget
    forget.ask_words forget.yours forget.everybodys forget.here forget.since forget.only_yours forget.wrong_since
    forget.kind_command forget.details forget.no_details forget.detail_facts forget.detail_messages
    forget.detail_summaries forget.detail_days forget.detail_own forget.detail_left forget.still_at_it
    forget.own_deleted forget.own_gone
    rights.in_chosen rights.stopped rights.stopped_already rights.offer_to_erase rights.offer_to_erase_form
    rights.on_again rights.on_already rights.private rights.not_private rights.categories rights.category
    rights.is_kept rights.is_kept_for rights.is_not_kept rights.categories_absent rights.category_kept
    rights.category_kept_for rights.category_not_kept rights.wrong_days rights.wrong_category rights.exported
    rights.export_sent rights.export_not_sent rights.export_too_large rights.erased_and_off rights.erase_command
    """.split()
)
"""Said in answer to what a grammar has understood, or by a form; or not said, but read by the grammar again."""


def test_every_language_that_is_told_apart_has_sentences() -> None:
    assert {*Language, *ABROAD} == {tongue.code for tongue in COMMON_WORDS}


@pytest.mark.parametrize("language", ABROAD)
def test_whatever_is_said_to_a_message_that_a_model_alone_understands_is_there(language: str) -> None:
    wanted = [
        key
        for key in ENGLISH
        if (key.partition(".")[0] in ABROAD_SECTIONS and key not in NEVER_ABROAD) or key in BUTTONS_ABROAD
    ]
    assert set(ENGLISH) >= NEVER_ABROAD
    said = {key: one for key, one in sentences_abroad(language).items() if not key.startswith("heard.")}
    assert list(said) == wanted
    for key, sentence in said.items():
        # How to say an order may be known without the name of the bot.
        assert placeholders(sentence) - {"bot"} == placeholders(ENGLISH[key]) - {"bot"}, key
        assert isinstance(sentence, str) == isinstance(ENGLISH[key], str), key
        assert sentence != ENGLISH[key] or not isinstance(sentence, str), key


@pytest.mark.parametrize("language", ABROAD)
def test_whatever_is_counted_abroad_has_a_form_for_every_number(language: str) -> None:
    for key in ("count.facts", "count.messages", "count.messages_of", "count.conversations_in"):
        for number in NUMBERS:
            assert say(key, language, count=number).startswith(f"{number} ")


@pytest.mark.parametrize("language", ABROAD)
def test_the_answers_that_are_asked_for_abroad_are_understood(language: str) -> None:
    own = sentences_abroad(language)
    for key, english in ENGLISH.items():
        if key in own and isinstance(english, str):
            for answer in ANSWERS:
                if f"“{answer}”" in english or re.search(rf"\b{answer} / | / {answer}\b", english):
                    asked_for = set(re.findall(r"[\w']+", str(own[key]).casefold()))
                    assert asked_for & heard_abroad(answer) & {*str(own[f"heard.{answer}"]).split()}, key
