"""How somebody who was away asks what they missed, in English and in Russian; patterns have е for ё."""

import re
from typing import Final

from bot.conversation.commands import HERE, CatchUp, Command
from bot.conversation.grammar.rules import Rule, fixed, rule
from bot.conversation.grammar.spoken import plain
from bot.conversation.since import is_since

_CHANNEL: Final = r"<\#\d{1,19}>|\#[^\s,.?!]+"
_AWAY: Final = (
    r"while\s+i\s+was\s+(?:away|gone|out|off|offline|asleep|sleeping|afk|at\s+work|at\s+school|on\s+holiday)"
    r"|пока\s+меня\s+(?:тут\s+|здесь\s+)?не\s+было|пока\s+я\s+(?:спала?|работала?|отсутствовала?|была?\s+на\s+работе)"
)
_HERE: Final = (
    r"(?:in\s+|on\s+)?(?:here|this\s+channel|this\s+thread)|здесь|тут|в\s+этом\s+канале|в\s+этой\s+ветке"
)
_EVERYWHERE: Final = (
    r"(?:on|in)\s+(?:this|the|our)\s+(?:server|guild)|anywhere|everywhere"
    r"|на\s+(?:этом\s+|нашем\s+)?сервере"
)
_TAIL: Final = re.compile(
    rf"""(?:
        \s*,?\s+(?:(?P<away>{_AWAY})|(?P<here>{_HERE})|(?P<everywhere>{_EVERYWHERE})
        |(?:in|on|from|в|на|из)\s+(?P<channel>{_CHANNEL}))
    )*
    (?:\s*,?\s+(?P<since>.+?))?
    (?:
        \s*,?\s+(?:(?P<here2>{_HERE})|(?P<everywhere2>{_EVERYWHERE})|(?:in|on|from|в|на|из)\s+(?P<channel2>{_CHANNEL}))
    )?""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_TAIL: Final = 100
"""Characters behind the question: more are a story."""

_BARE_TIME: Final = re.compile(
    r"(?:since|over|during|in|с|со|за|после|from)\s.+|today|yesterday|сегодня|вчера|th.*|last.*", re.I
)


def _caught_up(tail: str) -> Command | None:
    """Return the command for what stands behind the question: a channel, a time, both, in either order."""
    said = " ".join(plain(tail).split())
    found = _TAIL.fullmatch(f" {said}") if len(said) <= _LONGEST_TAIL else None
    if found is None:
        return None
    since = found["since"]
    if since is not None and not (_BARE_TIME.fullmatch(since) and is_since(since)):
        return None
    here = found["here"] or found["here2"]
    channel = found["channel"] or found["channel2"]
    return CatchUp(HERE if here else channel, since)


def _somewhere(tail: str) -> Command | None:
    """What happened is asked of the bot only with a place: the rest is talk."""
    command = _caught_up(tail)
    has_place = re.search(rf"(?:^|\s)(?:{_HERE}|{_EVERYWHERE}|{_CHANNEL}|{_AWAY})(?:\W|$)", tail, re.I | re.X)
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
ENGLISH: Final[tuple[Rule, ...]] = (
    rule(_MISSED, fixed(CatchUp())),
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


RUSSIAN: Final[tuple[Rule, ...]] = (
    rule(_MISSED_RUSSIAN, fixed(CatchUp())),
    rule(rf"{_MISSED_RUSSIAN}(?P<x>,? .+)", _caught_up),
    rule(rf"{_HAPPENED_RUSSIAN} (?P<x>.+)", _happened),
)
