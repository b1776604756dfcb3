"""The page docs/cost.md, from what was measured."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jinja2

from bench import money, reading
from bench.alternatives import Cost
from bench.money import Spent
from bench.reading import Read
from bot.language.plan import Price

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
_TIMES: Final = {1: "once", 2: "twice", 3: "three times"}


def written(week: "Week", alone: Read, networked: Read, spent: Sequence[Spent]) -> str:
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
