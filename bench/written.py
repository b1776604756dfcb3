"""The page docs/cost.md, from what was measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jinja2

from bench import money, reading
from bench.alternatives import Cost
from bench.money import Spent
from bench.reading import Read
from bench.turn import BEFORE, BEFORE_CALLS, BEFORE_TOKENS, Turn
from bench.week import Counted
from bot.llm.budget import Price

if TYPE_CHECKING:
    from bench.days import Week


_PRICED: Final = "google:gemini-flash-latest"
_PRICES: Final = {
    "0.30/2.50": "the example in the settings, and Gemini 3.5 Flash-Lite",
    "0.75/3.75": "Gemini 3.8 Flash, for which `gemini-flash-latest` stands, until the end of 2026",
    "1.50/7.50": "the same from 2027 on",
}
_NAMES: Final = {
    "summarise_day": "days",
    "historical": "weeks",
    "merge_context": "contexts",
    "merge_facts": "narratives of facts",
}
_TALK_NAMES: Final = {
    "roll_summary": "rolling summaries",
    "make_episode": "episodes",
    "compact_episodes": "making room for episodes",
    "learn_profile": "profiles",
}
_REPLY_NAMES: Final = {"route": "what is meant", "reply": "replies"}
_EVERY_NAME: Final = _NAMES | _TALK_NAMES | _REPLY_NAMES
_TIMES: Final = {1: "once", 2: "twice", 3: "three times"}


def written(week: "Week", turns: Sequence[Turn], alone: Read, networked: Read, spent: Sequence[Spent]) -> str:
    """Return the page in Markdown."""
    counted = week.counted
    own = Cost(counted.calls["summarise_day"], counted.tokens["summarise_day"])
    ways = {
        "ours": own,
        "whole days again": week.whole_days_again,
        "member by member": week.member_by_member,
    }
    template = _environment().get_template("cost.md.j2")
    return template.render(
        week=week,
        counted=counted,
        per_day=counted.heard // len(week.said),
        names=_NAMES,
        shares=_shares(counted),
        stable=[(name, *_stable(counted, operation)) for operation, name in _EVERY_NAME.items()],
        turns=turns,
        before=BEFORE,
        before_calls=BEFORE_CALLS,
        before_tokens=BEFORE_TOKENS,
        times=_TIMES,
        ways=[(name, days, week.otherwise(days)) for name, days in ways.items()],
        money=money,
        spent=spent,
        priced=[(price, whose, _amounts(spent, price)) for price, whose in _PRICES.items()],
        reading=reading,
        reads=[
            ("no load for the machine", alone),
            ("the real client and a loopback Gemini in the same process", networked),
        ],
        n=lambda number: f"{number:,}",
    )


def _stable(counted: Counted, operation: str) -> tuple[int, int, float]:
    """Return the tokens with which all prompts of an operation begin, those of one, and the share that was cached."""
    calls, every = counted.every_call[operation], counted.every_token[operation]
    if not calls:
        return 0, 0, 0.0
    return counted.stable[operation], every // calls, counted.cached[operation] / every


@dataclass(frozen=True, slots=True)
class _Share:
    """What some operations took in the week."""

    name: str
    calls: int
    tokens: int
    of_all: float


def _shares(counted: Counted) -> list[_Share]:
    """Return what each operation took that is asked because the bot takes part, and what all others did."""
    days = _share(counted, "days, weeks, contexts, facts", list(_NAMES))
    return [
        days,
        *(_share(counted, name, [operation]) for operation, name in (_TALK_NAMES | _REPLY_NAMES).items()),
        _share(counted, "**all**", list(counted.every_call)),
    ]


def _share(counted: Counted, name: str, operations: Sequence[str]) -> _Share:
    tokens = sum(counted.every_token[operation] for operation in operations)
    return _Share(
        name=name,
        calls=sum(counted.every_call[operation] for operation in operations),
        tokens=tokens,
        of_all=tokens / counted.every_token.total(),
    )


def _amounts(spent: Sequence[Spent], written_price: str) -> list[str]:
    """Return dollars for memory, replies, both, and each member; in brackets with the free models at the price."""
    dollars_in, dollars_out = (float(part) for part in written_price.split("/"))
    price = Price(input=dollars_in, output=dollars_out)
    own, every = [], []
    for purpose in ("memory", "replies"):
        asked = [one for one in spent if one.purpose == purpose]
        own.append(sum(one.cost(price) for one in asked if one.model == _PRICED))
        every.append(sum(one.cost(price) for one in asked))
    told = [*zip(own, every, strict=True), (sum(own), sum(every))]
    told.append((sum(own) / money.MEMBERS, sum(every) / money.MEMBERS))
    return [f"{cost:.2f} ({at_most:.2f})" for cost, at_most in told]


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
