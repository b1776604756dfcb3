"""How the last write is corrected, in both languages: "no, I said Tuesday", «нет, во вторник»."""

from typing import Final

from bot.conversation.commands import Command, MoveSubject, ReplaceValue, TakeBack
from bot.conversation.grammar.clauses import is_own_statement
from bot.conversation.grammar.rules import Rule, fixed, rule
from bot.conversation.grammar.values import is_definite, is_name_like, is_plausible


def _definite(value: str, wrong: str | None = None) -> Command | None:
    return ReplaceValue(value, wrong) if is_definite(value) else None


def _plausible(value: str, wrong: str | None = None) -> Command | None:
    return ReplaceValue(value, wrong) if is_plausible(value) else None


def _definite_for(wrong: str, value: str) -> Command | None:
    return _definite(value, wrong)


def _plausible_for(wrong: str, value: str) -> Command | None:
    return _plausible(value, wrong)


def _said_anew(words: str) -> Command | None:
    """A value, or the whole sentence once more: "no, I said I like ramen"."""
    return _plausible(words) or (ReplaceValue(words) if is_own_statement(words) else None)


def _named(name: str) -> Command | None:
    return MoveSubject(name) if is_name_like(name) else None


def _named_or_definite(words: str) -> Command | None:
    return _definite(words) or _named(words)


_NO: Final = (
    r"(?:(?:no|nope|nah|wait|sorry|oops|actually|correction|scratch that|(?:that's )?wrong)"
    r"(?:[\s,.!:;-]+(?=\S)))+"
)
_MAYBE_NO: Final = rf"(?:{_NO})?"
_IT_IS: Final = r"(?:it's|it is|it was|that's|that is|that was)"
_ME: Final = r"(?:me|myself|i|mine|<@!?\d+>|@\S+)"
_SHORT: Final = r"[^,;?\n]{1,60}?"
_X: Final = rf"(?P<x>{_SHORT})"
_Y: Final = rf"(?P<y>{_SHORT})"
_CAPITAL: Final = r"(?-i:[A-ZА-Я])[^,;?\n]{0,40}?"

ENGLISH_TAKE_BACK: Final[tuple[Rule, ...]] = (
    rule(rf"{_MAYBE_NO}(?:scratch|strike|undo|revert|cancel) (?:that|this|it)|undo", fixed(TakeBack())),
    rule(rf"{_MAYBE_NO}(?:i )?take (?:that|it|this) back", fixed(TakeBack())),
)

ENGLISH: Final[tuple[Rule, ...]] = (
    *ENGLISH_TAKE_BACK,
    rule(
        rf"{_MAYBE_NO}(?:that was|this was|(?:that|it|this)(?: was| is|'s) about|i meant)"
        rf" (?P<x>me|myself),? (?:and )?not (?:about )?{_SHORT}",
        MoveSubject,
    ),
    rule(rf"{_MAYBE_NO}(?:that|it|this)(?: was| is|'s) about {_X},? (?:and )?not (?:about )?{_ME}", _named),
    rule(
        rf"{_MAYBE_NO}(?:that|it|this)(?: was| is|'s) about (?P<x>{_CAPITAL}),? (?:and )?not (?:about )?{_SHORT}",
        _named,
    ),
    rule(rf"{_MAYBE_NO}(?:that|it|this)(?: was| is|'s) {_X},? (?:and )?not {_ME}", _named_or_definite),
    rule(
        rf"{_MAYBE_NO}(?:that|this) was (?P<x>{_CAPITAL}),? (?:and )?not {_CAPITAL}",
        _named_or_definite,
    ),
    rule(
        rf"{_MAYBE_NO}i (?:meant|mean|said|was talking about|was speaking of) (?:about )?{_X},?"
        rf" (?:and )?not (?:about )?{_ME}",
        _named_or_definite,
    ),
    rule(rf"{_MAYBE_NO}(?:about )?{_X}(?:,| -) not (?:about )?{_ME}", _named_or_definite),
    rule(rf"{_MAYBE_NO}not (?:about )?{_ME},? but (?:about )?{_X}", _named),
    rule(rf"{_MAYBE_NO}not (?:about )?{_ME}, (?:about )?(?P<x>{_CAPITAL}|<@!?\d+>|@\S+)", _named),
    # Without "no" or "it's", only a date or a number is surely a correction: "bot lane, not top" is none.
    rule(rf"{_MAYBE_NO}not {_X}(?:,? but|,) {_Y}", _definite_for),
    rule(rf"{_X},? not {_Y}", _definite),
    rule(rf"{_MAYBE_NO}(?:{_IT_IS}|i (?:said|meant)) not {_X},? (?:but|it's|it is) {_Y}", _plausible_for),
    rule(rf"{_NO}not {_X},? (?:but|it's|it is) {_Y}", _plausible_for),
    rule(rf"{_MAYBE_NO}(?:it's|it is|it was|i (?:said|meant)) {_X}(?:,| -| and) not {_Y}", _plausible),
    rule(rf"{_MAYBE_NO}(?:{_IT_IS}|i (?:said|meant)) {_X} not {_Y}", _definite),
    rule(rf"{_NO}{_X}(?:,| -) not {_Y}", _plausible),
    rule(rf"{_MAYBE_NO}change (?:it|that|this) to {_X}", _plausible),
    rule(rf"{_NO}(?:it should be|it should say|should be|make (?:it|that)) {_X}", _plausible),
    rule(rf"{_NO}i (?:said|meant|mean|wrote) (?:that )?{_X}", _said_anew),
    rule(rf"{_NO}(?:i (?:said|meant|mean|wrote)|it's|it is|it was)(?: actually)? {_X}", _plausible),
    rule(rf"(?:it's actually|i meant|it should be|make (?:it|that)) {_X}", _definite),
    rule(rf"{_NO}(?:that's|that is|that was) {_X}", _definite),
    rule(rf"correction:\s*{_X}", _said_anew),
    rule(rf"{_NO}{_X}", _definite),
)

_NET: Final = (
    r"(?:(?:нет|не-?а|ой|стоп|вообще-то|на самом деле|точнее|вернее|извини|прости|поправка)"
    r"(?:[\s,.!:;-]+(?=\S)))+"
)
_MAYBE_NET: Final = rf"(?:{_NET})?"
_ABOUT: Final = r"(?:о|об|обо|про)"
_I: Final = rf"(?:{_ABOUT} )?(?:я|меня|мне|себя|себе|мной|<@!?\d+>|@\S+)"
_I_SAID: Final = r"я (?:же )?(?:сказала?|говорила?|имела? в виду|имел в виду|писала?|написала?)(?: же)?"

RUSSIAN: Final[tuple[Rule, ...]] = (
    rule(rf"{_MAYBE_NET}(?:отмени|зачеркни|вычеркни|отмените)(?: это| последнее)?|отмена", fixed(TakeBack())),
    rule(rf"{_MAYBE_NET}(?:я )?(?:беру|возьму) (?:свои |эти )?слова (?:назад|обратно)", fixed(TakeBack())),
    rule(
        rf"{_MAYBE_NET}(?:это|речь)(?: был[аио]?| шла)?(?: {_ABOUT})? (?P<x>я|меня|мне),?"
        rf" (?:а )?не (?:{_ABOUT} )?{_SHORT}",
        MoveSubject,
    ),
    rule(
        rf"{_MAYBE_NET}(?:это|речь)(?: был[аио]?| шла)? {_ABOUT} {_X},? (?:а )?не (?:{_ABOUT} )?{_SHORT}",
        _named,
    ),
    rule(rf"{_MAYBE_NET}это(?: был[аио]?)? {_X},? (?:а )?не {_I}", _named_or_definite),
    rule(rf"{_MAYBE_NET}это был[аио]? (?P<x>{_CAPITAL}),? (?:а )?не {_CAPITAL}", _named_or_definite),
    rule(rf"{_MAYBE_NET}{_I_SAID}(?: {_ABOUT})? {_X},? (?:а )?не {_I}", _named_or_definite),
    rule(rf"{_MAYBE_NET}(?:{_ABOUT} )?{_X},? а не {_I}", _named_or_definite),
    rule(rf"{_MAYBE_NET}не {_I},? а (?:{_ABOUT} )?{_X}", _named),
    rule(rf"(?:это )?не {_X},? а {_Y}", _definite_for),
    rule(rf"{_X},? (?:а )?не {_Y}", _definite),
    rule(rf"(?:{_NET}(?:это )?|это )не {_X},? а {_Y}", _plausible_for),
    rule(rf"{_MAYBE_NET}{_I_SAID} {_X},? а не {_Y}", _plausible),
    rule(rf"(?:{_NET}(?:это )?|это ){_X},? а не {_Y}", _plausible),
    rule(rf"{_NET}{_I_SAID},? (?:что )?{_X}", _said_anew),
    rule(rf"{_NET}это {_X}", _plausible),
    rule(rf"{_MAYBE_NET}(?:исправь|измени|поменяй)(?: это)? на {_X}", _plausible),
    rule(rf"{_NET}{_X}", _definite),
)

IN_REPLY: Final[tuple[Rule, ...]] = (
    rule(rf"{_NO}{_X}", _plausible),
    rule(rf"{_NET}{_X}", _plausible),
)
"""What is sure only in reply to a confirmation: "no, pasta" may be said to anybody about anything."""
