"""Removes from a model's reply, sentence by sentence, what must not be said.

Pure functions of the reply and of the message that it answers. The words are in `bot.text.slips` and `bot.text.claims`.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.text import slips
from bot.text.claims import QUOTED, clause_starts, is_nod, sentences_of, without_false_claims
from bot.text.language_detection import COMMON_WORDS, TELLING_LETTERS, CommonWords, folded, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterContext:
    """What a reply is held against."""

    question: str = ""
    """The message that is answered."""
    asker_before: str = ""
    """What its author said before, for a question that is too short to tell its language."""
    bot_names: Sequence[str] = ()
    persona: str = ""
    known: str = ""
    """What people wrote and are called: an id in it is a word of theirs."""
    user_ids: Collection[str] = ()
    """The short ids of members that the prompt offered; they become names, others go."""
    tags: Collection[str] = ()
    """The names of the tags of the prompt."""
    rules: "PromptRules | None" = None
    """The rules of the prompt, which no reply repeats."""


_WORD: Final = re.compile(r"\w+")
_LEAST_RULE_WORDS: Final = 5
"""A sentence of fewer words is everybody's."""

_LONGEST_SHARED_RUN: Final = 9
"""Words in a row that a reply may share with the rules: an honest "I cannot open links ..." has that many."""


@dataclass(frozen=True, slots=True)
class PromptRules:
    """The rules of a prompt, made ready to be found in a reply: the same for every reply, so built once."""

    sentences: frozenset[str]
    runs: frozenset[tuple[str, ...]]
    headings: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, prompt: str) -> "PromptRules":
        """Return the rules in `prompt`, a rendered template without data; examples and quotations are no rules."""
        paragraphs = prompt.split("\n\n")
        told = [part for part in paragraphs if not part.lstrip().startswith("EXAMPLE")]
        headings = {line.strip() for part in told for line in part.splitlines() if line.isupper()}
        text = "\n\n".join(told)
        flat = re.sub(r"\n(?=\s*[^\s-])", " ", re.sub(r"\n\n+|\n-", ". ", text))
        sentences = [_words(sentence) for sentence in re.split(r"(?<=[.!?:])\s", flat)]
        runs = {
            tuple(words[start : start + _LONGEST_SHARED_RUN + 1])
            for words in sentences
            for start in range(len(words) - _LONGEST_SHARED_RUN)
        }
        whole = {" ".join(words) for words in sentences if len(words) >= _LEAST_RULE_WORDS}
        return cls(frozenset(whole), frozenset(runs), frozenset(headings))

    def are_in(self, sentence: str) -> bool:
        """Tell whether `sentence` repeats a rule."""
        if sentence.strip("*_#: \n") in self.headings:
            return True
        words = _words(sentence)
        if len(words) < _LEAST_RULE_WORDS:
            return False
        said = f" {' '.join(words)} "
        if any(f" {rule} " in said for rule in self.sentences):
            return True
        last = len(words) - _LONGEST_SHARED_RUN
        return any(
            tuple(words[start : start + _LONGEST_SHARED_RUN + 1]) in self.runs for start in range(last)
        )


def _words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def filtered(text: str, context: FilterContext, *, wrote: bool = False) -> str:
    """Return `text` without what must not be said; "" if nothing is left of it.

    Taken out are promises to remind or to look up, claims of a write (unless this turn `wrote` something), the
    rules of the prompt and ids of it, and the name before the text; "As an AI, I ..." begins with "I". Code and
    quotations stay as they are. It may be given the sentences of a reply so far: what it takes out of them it takes
    out of the whole reply, too.
    """
    text = unframed(text, context)
    pieces = sentences_of(text)
    kept: list[str] = []
    for piece in pieces:
        mended = piece if piece.startswith("```") else _mended(piece, context)
        if mended:
            kept.append(mended)
            continue
        while kept and is_nod(kept[-1]):
            kept.pop()
    if kept != pieces:
        text = "" if all(map(is_nod, kept)) else "".join(kept).strip()
    return without_false_claims(text, wrote=wrote)


# The frame of a reply ------------------------------------------------------------------------------------------

_LONGEST_NOD: Final = 40
"""Characters before the words that announce a reply: "Sure thing!"."""

_BARE_TAG: Final = re.compile(r"\s*<[/]?(?:you|reply|answer|response|assistant|output|bot)\b[^<>]*>\s*", re.I)


def unframed(text: str, context: FilterContext) -> str:
    """Return `text` without the names and tags that a model puts before and behind it."""
    names = "|".join(re.escape(name) for name in (*context.bot_names, *slips.SPEAKERS) if name)
    label = re.compile(
        # "@u2: ..." tells what that member said: without the name it would be the bot's own.
        rf"\s*[*_\[<(`]*(?:m\d+ )?(?:@?(?:{names}|(?-i:you))|(?-i:u\d{{1,3}}))(?: \((?:bot|u\d+|you)\))?"
        r"(?: \d\d:\d\d)?(?: re m\d+)?"
        r"(?:[*_\])>`]*\s*[:：][*_\])>`]*|[*_]*\](?=\s)|>)\s*",
        re.IGNORECASE,
    )
    while found := label.match(text) or _BARE_TAG.match(text) or _announced(text):
        text = text[found.end() :]
    while (found := re.search(rf"{_BARE_TAG.pattern}\Z", text, re.IGNORECASE)) and "/" in found[0]:
        text = text[: found.start()]
    return text


def _announced(text: str) -> re.Match[str] | None:
    """Return the words with which a reply is announced, behind a nod too; `None` if there are none."""
    starts = clause_starts(text[:_LONGEST_NOD].lower())
    found = (slips.PREFACE.match(text, start) for start in starts if is_nod(text[:start] or "ok"))
    return next((one for one in found if one is not None), None)


# One sentence --------------------------------------------------------------------------------------------------

_PROTECTED: Final = re.compile(rf"({QUOTED.pattern})")
_ID: Final = r"@?[mufdeh]\d{1,4}"
_IN_BRACKETS: Final = re.compile(
    rf"[ \t]*[(\[{{](?:{slips.REFERENCE_IN_BRACKETS} )?"
    rf"(?P<ids>{_ID}(?:(?:, ?| ?[;/&–-] ?| and )(?:{_ID}))*)[)\]}}](?!\()"
)
_AFTER_REFERENCE: Final = re.compile(rf"\b{slips.REFERENCE} (?P<ids>{_ID})(?![\w-])")
_BARE_USER: Final = re.compile(r"(?<![\w@./-])@?(?P<ids>u\d{1,4})(?![\w-])")


def _mended(sentence: str, context: FilterContext) -> str:
    """Return `sentence` as it may be said, with the blanks behind it; "" if it may not."""
    blanks = sentence[len(sentence.rstrip()) :]
    said = _outside_of_quotes(sentence, lambda part: _without_bracketed_ids(part, context))
    said = _as_nobody(said, context)
    if not any(map(str.isalnum, said)) and any(map(str.isalnum, sentence)):
        return ""
    plain = QUOTED.sub(" quoted ", said.lower().replace("ё", "е").replace("’", "'"))
    if has_tag(said, context) or _promises(plain) or _names_an_id(plain, context):
        return ""
    if context.rules is not None and context.rules.are_in(QUOTED.sub(" quoted ", said)):
        return ""
    return said if said == sentence else said.rstrip() + blanks


def _promises(plain: str) -> bool:
    return any(
        slips.PROMISE.match(plain, start) or slips.OF_INSTRUCTIONS.match(plain, start)
        for start in clause_starts(plain)
    )


def _outside_of_quotes(text: str, change: Callable[[str], str]) -> str:
    parts = _PROTECTED.split(text)
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


def _without_bracketed_ids(text: str, context: FilterContext) -> str:
    def without(found: re.Match[str]) -> str:
        return found[0] if _are_known(found["ids"], context) else ""

    return _IN_BRACKETS.sub(without, text)


def has_tag(text: str, context: FilterContext) -> bool:
    """Tell whether `text` contains a tag of the prompt that no member typed."""
    if "<" not in text or not context.tags:
        return False
    tags = re.findall(rf"<[/]?(?:{'|'.join(sorted(context.tags))})(?:\s[^<>]*)?/?>", text, re.IGNORECASE)
    return any(tag not in context.known for tag in tags)


def _names_an_id(plain: str, context: FilterContext) -> bool:
    """Tell whether a short id of the prompt is left; members' that were offered are made names later."""
    found = [*_AFTER_REFERENCE.finditer(plain), *_BARE_USER.finditer(plain)]
    return any(
        one["ids"].lstrip("@") not in context.user_ids and not _are_known(one["ids"], context)
        for one in found
    )


def _are_known(ids: str, context: FilterContext) -> bool:
    known = context.known.lower()
    return all(re.search(rf"(?<!\w){one}(?!\w)", known) for one in re.findall(r"[a-z]\d+", ids))


_FIRST_LETTER: Final = re.compile(r"[^\W\d_]")
_GERMAN_INVERSION: Final = re.compile(r"^(\w+) (ich)\b", re.IGNORECASE)


def _as_nobody(sentence: str, context: FilterContext) -> str:
    """Return `sentence` without "As an AI, ", and without "I'm just an AI" where nobody asked for it."""
    said = _outside_of_quotes(sentence, lambda part: slips.AS_A_MODEL_AMID.sub(" ", part))
    if said != sentence:
        said = re.sub(r" +(?=[.!?…,])", "", re.sub(r"(?<=\S) {2,}", " ", said))
    asked = slips.ASKS_WHAT_IT_IS.search(context.question) is not None
    for pattern in (slips.AS_A_MODEL_LEADING, *(() if asked else (slips.ONLY_A_MODEL,))):
        plain = said.replace("’", "'")
        for start in clause_starts(plain):
            if (found := pattern.match(plain, start)) and not _is_quoted(plain, start):
                rest = said[found.end() :]
                if start and not any(map(str.isalnum, rest)):
                    said = said[:start].rstrip(" ,;:—–-") + (rest or ".")
                else:
                    said = said[:start] + _begun(rest, as_in=said[start:])
                break
    return said


def _begun(rest: str, *, as_in: str) -> str:
    """Return the rest of a clause with a capital letter if the clause `as_in` had one; German in its own order."""
    rest = _GERMAN_INVERSION.sub(lambda found: f"{found[2].lower()} {found[1].lower()}", rest)
    first = _FIRST_LETTER.search(as_in)
    if first is None or not first[0].isupper():
        return rest
    return rest[:1].upper() + rest[1:]


def _is_quoted(text: str, position: int) -> bool:
    return any(found.start() <= position < found.end() for found in QUOTED.finditer(text))


# The language --------------------------------------------------------------------------------------------------

_LEAST_SHARE: Final = 0.15
"""Of the words of a text the part that must be common words of a language, or the text is a list of names."""

_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_LATIN: Final = re.compile(r"[a-zà-ɏ]", re.IGNORECASE)
_UNSPOKEN: Final = re.compile(r"```.*?(?:```|\Z)|https?://\S+|<[@#:][^>]*>", re.DOTALL)


def in_another_language(text: str, context: FilterContext) -> bool:
    """Tell whether `text` surely is in another language than the question, which asked for no other.

    Names, code, quotations and short texts have no language; where it is unclear, the answer is no.
    """
    if slips.ABOUT_LANGUAGES.search(f"{context.question} {context.persona}"):
        return False
    spoken = QUOTED.sub(" ", _UNSPOKEN.sub(" ", text))
    said = _language(spoken)
    asked = _language(context.question) or _language(context.asker_before)
    if said is not None and asked is not None and said.language is asked.language:
        return said is not asked and _score(spoken, asked) * 2 <= _score(spoken, said)
    script, asked_script = _script(spoken), _script(context.question)
    if "" in {script, asked_script} or script == asked_script:
        return False
    # Words of Russian are often typed in Roman letters; the other way round hardly anybody types.
    return asked is not None if script == "cyrillic" else said is not None


def _score(text: str, tongue: CommonWords) -> int:
    letters = TELLING_LETTERS.get(tongue.name)
    return len(tongue.words.intersection(words_of(text))) + (2 if letters and letters.search(text) else 0)


def _language(text: str) -> CommonWords | None:
    """Return the language of `text` if it has words enough of one, and clearly more than of any other."""
    words = words_of(text)
    ranked = sorted(
        ((_score(text, tongue), -number) for number, tongue in enumerate(COMMON_WORDS)), reverse=True
    )
    (most, number), (next_most, _) = ranked[:2]
    enough = 2 if len(words) <= 6 else 3
    clear = most >= enough and most > next_most and most >= _LEAST_SHARE * len(set(words))
    return COMMON_WORDS[-number] if clear else None


def _script(text: str) -> str:
    """Return in which letters `text` is written: "cyrillic", "latin", or "" if that is unclear."""
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    if max(cyrillic, latin) < 3:
        return ""
    return "cyrillic" if cyrillic > latin * 3 else "latin" if latin > cyrillic * 3 else ""
