"""Commands that reach back to a time, and reading that time.

"What did I miss since Monday", "forget everything since yesterday"; patterns have е for ё.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.text.calendar import NUMBER, length_of, unit_words
from bot.text.commands import HERE, AskCatchUp, Command, ForgetKind, ForgetSaid
from bot.text.grammar.kinds import FACT_KIND
from bot.text.grammar.rules import Rule, fixed, plain, rule
from bot.text.spans import time_in

_LONG: Final = re.compile(
    rf"""(?:about\s+|around\s+|примерно\s+|около\s+)?
    (?:(?:the\s+)?(?:last|past)\s+|последн\w{{2,3}}\s+|прошедш\w{{2,3}}\s+)?
    (?:(?P<count>{NUMBER})\s*)?(?P<unit>{unit_words("minute", "hour", "day", "week")})
    (?:\s+(?:ago|назад))?""",
    re.VERBOSE,
)
_CLOCK: Final = re.compile(
    r"(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>am|pm|утра|дня|вечера|o'clock)?"
)
_NOON: Final = 12
_TODAY: Final = frozenset({
    "today", "this morning", "this afternoon", "this evening",
    "сегодня", "сегодняшнего дня", "утра", "сегодняшнего утра", "этого утра",
})  # fmt: skip
_YESTERDAY: Final = frozenset({"вчера", "вчерашнего дня"})
_FIRST: Final = re.compile(r"(?:since|from|after|со?|после|за|in|over|during|for)\s+")


def since_of(words: str, *, now: datetime, time_zone: str) -> datetime | None:
    """Return the moment that `words` mean behind "since", reckoned from the aware `now`; `None` if they mean none.

    The word itself may stand before them. A length of time counts back from now, a day begins at its midnight in
    `time_zone`.
    """
    said = " ".join(words.casefold().replace("ё", "е").split()).strip(" .!?")
    said = _FIRST.sub("", said, count=1) if _FIRST.match(said) else said
    if long := _LONG.fullmatch(said):
        return now - length_of(long["count"], long["unit"])
    if (clock := _CLOCK.fullmatch(said)) and (clock["minute"] or clock["half"]):
        return _latest(clock, now.astimezone(ZoneInfo(time_zone)))
    if said in _TODAY:
        said = "today"
    elif said in _YESTERDAY:
        said = "yesterday"
    asked = f"since {said}"
    meant = time_in(asked, now=now, time_zone=time_zone)
    if meant is None or (meant.start, meant.end) != (0, len(asked)):
        return None
    return meant.span.begins


def _latest(clock: re.Match[str], here: datetime) -> datetime:
    """Return when it was last this time of the day."""
    hour, half = int(clock["hour"]), clock["half"]
    if half in {"pm", "дня", "вечера"} and hour < _NOON:
        hour += _NOON
    elif half == "am" and hour == _NOON:
        hour = 0
    at = here.replace(hour=hour, minute=int(clock["minute"] or 0), second=0, microsecond=0)
    return at if at <= here else at - timedelta(days=1)


def is_since(words: str) -> bool:
    """Tell whether `words` mean a moment at all."""
    return since_of(words, now=datetime(2026, 1, 1, tzinfo=UTC), time_zone="UTC") is not None


_CHANNEL: Final = r"<\#\d{1,19}>|\#[^\s,.?!]+"
_AWAY: Final = (
    r"while\s+i\s+was\s+(?:away|gone|out|off|offline|asleep|sleeping|afk|at\s+work|at\s+school|on\s+holiday)"
    r"|пока\s+меня\s+(?:тут\s+|здесь\s+)?не\s+было|пока\s+я\s+(?:спала?|работала?|отсутствовала?|была?\s+на\s+работе)"
)
_MISSED_HERE: Final = (
    r"(?:in\s+|on\s+)?(?:here|this\s+channel|this\s+thread)|здесь|тут|в\s+этом\s+канале|в\s+этой\s+ветке"
)
_EVERYWHERE: Final = (
    r"(?:on|in)\s+(?:this|the|our)\s+(?:server|guild)|anywhere|everywhere"
    r"|на\s+(?:этом\s+|нашем\s+)?сервере"
)
_MISSED_TAIL: Final = re.compile(
    rf"""(?:
        \s*,?\s+(?:(?P<away>{_AWAY})|(?P<here>{_MISSED_HERE})|(?P<everywhere>{_EVERYWHERE})
        |(?:in|on|from|в|на|из)\s+(?P<channel>{_CHANNEL}))
    )*
    (?:\s*,?\s+(?P<since>.+?))?
    (?:
        \s*,?\s+(?:(?P<here2>{_MISSED_HERE})|(?P<everywhere2>{_EVERYWHERE})|(?:in|on|from|в|на|из)\s+(?P<channel2>{_CHANNEL}))
    )?""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_MISSED_TAIL: Final = 100
"""Characters behind the question: more are a story."""

_BARE_TIME: Final = re.compile(
    r"(?:since|over|during|in|с|со|за|после|from)\s.+|today|yesterday|сегодня|вчера|th.*|last.*", re.I
)


def _caught_up(tail: str) -> Command | None:
    """Return the command for what stands behind the question: a channel, a time, both, in either order."""
    said = " ".join(plain(tail).split())
    found = _MISSED_TAIL.fullmatch(f" {said}") if len(said) <= _LONGEST_MISSED_TAIL else None
    if found is None:
        return None
    since = found["since"]
    if since is not None and not (_BARE_TIME.fullmatch(since) and is_since(since)):
        return None
    here = found["here"] or found["here2"]
    channel = found["channel"] or found["channel2"]
    return AskCatchUp(HERE if here else channel, since)


def _somewhere(tail: str) -> Command | None:
    """What happened is asked of the bot only with a place: the rest is talk."""
    command = _caught_up(tail)
    has_place = re.search(
        rf"(?:^|\s)(?:{_MISSED_HERE}|{_EVERYWHERE}|{_CHANNEL}|{_AWAY})(?:\W|$)", tail, re.I | re.X
    )
    return command if has_place else None


_TELL: Final = r"(?:(?:tell|show) me )?"
_MISSED: Final = (
    r"(?:what (?:all |else )?(?:did|have) (?:i|we) miss(?:ed)?|what'?ve i missed|(?:did|have) i miss(?:ed)?"
    r" (?:anything|something|much|a lot)(?: (?:important|interesting|good))?|(?:tell|show) me what (?:i|i've|i have)"
    r" missed|(?:please )?(?:catch me up|fill me in|bring me up to speed|get me up to speed|update me)"
    r"(?: on (?:everything|what i missed|what happened))?)"
)
_HAPPENED: Final = (
    r"(?:what(?:'s| is| has| was)? (?:happened|been happening|been going on|new|been said|said"
    r"|talked about|been discussed|discussed)"
    r"|what did (?:people|everyone|everybody|they|you all) (?:talk about|say|discuss))"
)
CATCH_UP_ENGLISH: Final[tuple[Rule, ...]] = (
    rule(_MISSED, fixed(AskCatchUp())),
    rule(rf"{_MISSED}(?P<x>,? .+)", _caught_up),
    rule(rf"{_TELL}{_HAPPENED}(?P<x>,? .+)", _somewhere),
)

_SAY: Final = r"(?:(?:расскажи|скажи|покажи|напомни)(?:те)?(?: (?:мне|нам|пожалуйста))?,? )?"
_MISSED_RUSSIAN: Final = (
    rf"(?:{_SAY}(?:а )?что (?:же )?(?:я|мы) (?:тут |здесь |сегодня )?(?:пропустил[аи]?|упустил[аи]?|проспал[аи]?)"
    r"|(?:я )?(?:что-то|что-нибудь|много) (?:я )?пропустила?"
    r"|я (?:что-то|что-нибудь|много(?:е|го)?) пропустила?"
    r"|введи(?:те)?(?: меня| нас)? в курс(?: дела?)?)"
)
_HAPPENED_RUSSIAN: Final = rf"{_SAY}(?:а )?(?:что|о чем|чего|про что)(?: же)?"
_VERB: Final = (
    r"(?:было|происходило|произошло|случилось|творилось|нового|интересного|говорили|обсуждали|писали"
    r"|болтали|общались)"
)


def _happened(words: str) -> Command | None:
    """In Russian place, time and verb stand in any order: «что тут сегодня было», «что было сегодня в #общий»."""
    rest, count = re.subn(rf"(?:^|(?<=\s)){_VERB}(?=\s|$)", " ", plain(words), flags=re.I)
    return _somewhere(" ".join(rest.split())) if count == 1 else None


CATCH_UP_RUSSIAN: Final[tuple[Rule, ...]] = (
    rule(_MISSED_RUSSIAN, fixed(AskCatchUp())),
    rule(rf"{_MISSED_RUSSIAN}(?P<x>,? .+)", _caught_up),
    rule(rf"{_HAPPENED_RUSSIAN} (?P<x>.+)", _happened),
)


_FORGET_HERE: Final = (
    r"(?:(?:in|from|about|of|on)\s+)?(?:this|the)\s+(?:whole\s+)?(?:channel|thread|chat|room)|(?:in|from\s+)?here"
    r"|(?:в|во|из|об|о|про)\s+(?:этом|этого|этот|этой|эту)\s+(?:канал[еа]?|чат[еа]?|ветк[еиу])|здесь|тут|отсюда"
)
_FORGET_TAIL: Final = re.compile(
    rf"(?:\s*,?\s+(?P<here>{_FORGET_HERE}))?(?:\s*,?\s+(?P<since>.+?))?(?:\s*,?\s+(?P<here2>{_FORGET_HERE}))?",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(
    r"(?:since|from|in|over|during|within|of|с|со|за|после)\s.+|today|yesterday|сегодня|вчера"
    r"|(?:the\s+)?(?:last|past)\s.+|последн.+",
    re.IGNORECASE,
)
_BEFORE_A_LENGTH: Final = re.compile(r"^(?:of|within)\s+", re.IGNORECASE)
_LONGEST_FORGET_TAIL: Final = 80
"""Characters behind what is to be forgotten: more are a story."""


def _said(tail: str, *, mine: bool) -> Command | None:
    """Return the command for what stands behind "everything": a place, a time, or both."""
    said = " ".join(plain(tail).split())
    found = _FORGET_TAIL.fullmatch(f" {said}") if len(said) <= _LONGEST_FORGET_TAIL else None
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
FORGET_SETS_ENGLISH: Final[tuple[Rule, ...]] = (
    rule(rf"{_DROP}(?: {_ALL})?(?: about| of)?(?: all)?(?: of)? my {FACT_KIND}", _about_me),
    rule(rf"{_DROP} {_ALL} (?:you|u) (?:know|remember|have) (?:about|of|on) my {FACT_KIND}", _about_me),
    rule(rf"{_DROP}(?: {_ALL})?(?: about)? {_SOMEBODY}(?:'s|s') {FACT_KIND}", ForgetKind),
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
FORGET_SETS_RUSSIAN: Final[tuple[Rule, ...]] = (
    rule(rf"{_DROP_RUSSIAN}(?: все)?(?: {_ABOUT})? {_MY} {FACT_KIND}", _about_me_in_russian),
    rule(rf"{_DROP_RUSSIAN} {FACT_KIND} {_SOMEBODY}", ForgetKind),
    rule(rf"{_DROP_RUSSIAN} все мои сообщения", fixed(ForgetSaid(mine=True))),
    rule(rf"{_DROP_RUSSIAN} {_MINE_RUSSIAN} (?P<x>.+)", _said_by_me),
    rule(rf"{_DROP_RUSSIAN} {_ANYBODYS_RUSSIAN} (?P<x>.+)", _said_by_anybody),
    rule(
        rf"{_DROP_RUSSIAN} (?:этот|весь этот) (?:канал|чат)|{_DROP_RUSSIAN} эту ветку",
        fixed(ForgetSaid(here=True)),
    ),
    rule(rf"{_DROP_RUSSIAN} (?P<x>последн\w+ .+)", _said_by_anybody),
)
