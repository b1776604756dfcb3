"""How sets are asked to be forgotten, in English and in Russian; patterns have е for ё."""

import re
from typing import Final

from bot.conversation.commands import Command
from bot.conversation.grammar.fact_kinds import KIND
from bot.conversation.grammar.rules import Rule, fixed, rule
from bot.conversation.grammar.spoken import plain
from bot.conversation.set_commands import ForgetKind, ForgetSaid
from bot.conversation.since import is_since

_HERE: Final = (
    r"(?:(?:in|from|about|of|on)\s+)?(?:this|the)\s+(?:whole\s+)?(?:channel|thread|chat|room)|(?:in|from\s+)?here"
    r"|(?:в|во|из|об|о|про)\s+(?:этом|этого|этот|этой|эту)\s+(?:канал[еа]?|чат[еа]?|ветк[еиу])|здесь|тут|отсюда"
)
_TAIL: Final = re.compile(
    rf"(?:\s*,?\s+(?P<here>{_HERE}))?(?:\s*,?\s+(?P<since>.+?))?(?:\s*,?\s+(?P<here2>{_HERE}))?",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(
    r"(?:since|from|in|over|during|within|of|с|со|за|после)\s.+|today|yesterday|сегодня|вчера"
    r"|(?:the\s+)?(?:last|past)\s.+|последн.+",
    re.IGNORECASE,
)
_BEFORE_A_LENGTH: Final = re.compile(r"^(?:of|within)\s+", re.IGNORECASE)
_LONGEST_TAIL: Final = 80
"""Characters behind what is to be forgotten: more are a story."""


def _said(tail: str, *, mine: bool) -> Command | None:
    """Return the command for what stands behind "everything": a place, a time, or both."""
    said = " ".join(plain(tail).split())
    found = _TAIL.fullmatch(f" {said}") if len(said) <= _LONGEST_TAIL else None
    if found is None:
        return None
    since = found["since"]
    if since is not None:
        since = _BEFORE_A_LENGTH.sub("", since) if _SINCE.fullmatch(since) else None
        if since is None or not is_since(since):
            return None
    here = bool(found["here"] or found["here2"])
    return ForgetSaid(mine=mine, here=here, since=since) if here or since else None


def _said_by_me(tail: str) -> Command | None:
    return _said(tail, mine=True)


def _said_by_anybody(tail: str) -> Command | None:
    return _said(tail, mine=False)


def _about_me(kind: str) -> Command:
    return ForgetKind(kind, "me")


def _about_me_in_russian(kind: str) -> Command:
    return ForgetKind(kind, "я")


_DROP: Final = r"(?:forget|erase|delete|remove|wipe|clear)"
_ALL: Final = r"(?:everything|all|anything|whatever|what)"
_SOMEBODY: Final = r"(?P<y><@!?\d+>|@\S+|[^\W\d_][\w-]*)"
_MINE: Final = (
    rf"(?:{_ALL}(?: that)? i(?:'ve| have)?(?: ever)? (?:said|wrote|written|posted|told you)"
    r"|(?:all )?(?:of )?my (?:messages|words))"
)
_ANYBODYS: Final = (
    rf"(?:{_ALL}(?: that)?(?: was| has been| we| people)?(?: said| written| posted| talked about)?"
    r"|(?:all )?(?:of )?(?:the )?messages)"
)
ENGLISH: Final[tuple[Rule, ...]] = (
    rule(rf"{_DROP}(?: {_ALL})?(?: about| of)?(?: all)?(?: of)? my {KIND}", _about_me),
    rule(rf"{_DROP} {_ALL} (?:you|u) (?:know|remember|have) (?:about|of|on) my {KIND}", _about_me),
    rule(rf"{_DROP}(?: {_ALL})?(?: about)? {_SOMEBODY}(?:'s|s') {KIND}", ForgetKind),
    rule(rf"{_DROP} all my messages", fixed(ForgetSaid(mine=True))),
    rule(rf"{_DROP} {_MINE} (?P<x>.+)", _said_by_me),
    rule(rf"{_DROP} {_ANYBODYS} (?P<x>.+)", _said_by_anybody),
    rule(rf"{_DROP} (?P<x>(?:this|the) (?:whole )?(?:channel|thread|chat|room))", _said_by_anybody),
    rule(rf"{_DROP} (?P<x>(?:the )?(?:last|past) .+)", _said_by_anybody),
)

_DROP_RUSSIAN: Final = r"(?:(?:забудь(?:те)?|забыть|удали(?:те|ть)?|сотри(?:те)?|стереть)(?:,? пожалуйста)?)"
_ABOUT: Final = r"(?:о|об|обо|про|насчет)"
_MY: Final = r"(?:мо[йеюяи]|свой|сво[еюяи])"
_MINE_RUSSIAN: Final = (
    r"(?:все(?: то)?,? что я (?:тут |здесь )?(?:сказала?|написала?|говорила?|писала?)"
    r"|(?:все )?мои (?:сообщения|слова))"
)
_ANYBODYS_RUSSIAN: Final = (
    r"(?:все(?:,? что)?(?: мы| было)?(?: сказанное| написанное| сказано| написано| говорили| писали)?"
    r"|(?:все )?сообщения)"
)
RUSSIAN: Final[tuple[Rule, ...]] = (
    rule(rf"{_DROP_RUSSIAN}(?: все)?(?: {_ABOUT})? {_MY} {KIND}", _about_me_in_russian),
    rule(rf"{_DROP_RUSSIAN} {KIND} {_SOMEBODY}", ForgetKind),
    rule(rf"{_DROP_RUSSIAN} все мои сообщения", fixed(ForgetSaid(mine=True))),
    rule(rf"{_DROP_RUSSIAN} {_MINE_RUSSIAN} (?P<x>.+)", _said_by_me),
    rule(rf"{_DROP_RUSSIAN} {_ANYBODYS_RUSSIAN} (?P<x>.+)", _said_by_anybody),
    rule(
        rf"{_DROP_RUSSIAN} (?:этот|весь этот) (?:канал|чат)|{_DROP_RUSSIAN} эту ветку",
        fixed(ForgetSaid(here=True)),
    ),
    rule(rf"{_DROP_RUSSIAN} (?P<x>последн\w+ .+)", _said_by_anybody),
)
