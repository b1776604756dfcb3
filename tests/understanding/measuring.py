"""Every case played and judged, one after the other."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from tests.databases import Servers
from tests.servers.gemini import GeminiServer
from tests.understanding.judging import HARMFUL, Check, Verdict, answer_to, judged
from tests.understanding.minds import CLAIM, Mind, give_mind, is_known, settings_with
from tests.understanding.scene import Case, Scene, Seen


@dataclass(frozen=True, slots=True)
class Result:
    """A case, what was seen of it, and what it came to."""

    case: Case
    check: Check
    seen: Seen
    verdict: Verdict
    why: str
    asked: frozenset[str | None] = frozenset()
    """The operations for which a model was asked; those that were never for this line are among them."""

    def __str__(self) -> str:
        seen = self.seen
        lines = [
            f"{self.case.case_id}  {self.verdict.upper()}{f': {self.why}' if self.why else ''}",
            *(f"    before    {line}" for line in self.case.setup),
            f"    line      {self.case.line}",
            f"    expected  {self.case.expected}",
            f"    said      {seen.said}",
            *([f"    then      {seen.then}"] if seen.then else []),
            *([f"    asked     {', '.join(sorted(map(str, self.asked)))}"] if self.asked else []),
            *(f"    stored    {one}" for one in seen.new),
            *(f"    gone      {one}" for one in seen.gone),
        ]
        return "\n".join(lines)


async def results_of(servers: Servers, cases: Iterable[tuple[Case, Check]]) -> AsyncIterator[Result]:
    """Play each case and judge it."""
    scene = Scene(servers)
    for case, check in cases:
        seen = await scene.play(case, partial(answer_to, case, check))
        yield Result(case, check, seen, *judged(case, check, seen))


async def results_with(
    servers: Servers, cases: Iterable[tuple[Case, Check]], mind: Mind
) -> AsyncIterator[Result]:
    """Play each case with a model of this mind, and judge it as it is judged without one."""
    for case, check in cases:
        async with GeminiServer() as server:
            give_mind(server, mind, case, check)
            scene = Scene(servers, settings_with(server))
            seen = await scene.play(case, partial(answer_to, case, check))
            asked = frozenset(call.operation for call in server.calls)
        yield Result(case, check, seen, *judged(case, check, seen), asked)


def sample(cases: Iterable[tuple[Case, Check]], *, of: int) -> list[tuple[Case, Check]]:
    """Return every so manieth case of each kind, a kind being the letters with which an id begins."""
    kinds = groupby(
        sorted(cases, key=lambda one: one[0].case_id), lambda one: one[0].case_id.rstrip("0123456789")
    )
    return [case for _, kind in kinds for case in list(kind)[::of]]


def worse(results: Iterable[Result], mind: Mind) -> list[Result]:
    """Return what a model made worse, or what it was asked about that is surely understood."""
    return [result for result in results if not _is_as_good(result, mind)]


def _is_as_good(result: Result, mind: Mind) -> bool:
    told = f"{result.seen.said}\n{result.seen.then}"
    if result.verdict in HARMFUL or CLAIM.search(told):
        return False
    is_left_to_model = bool(result.asked & {"route", "reply"})
    if mind is Mind.AWAY or (mind is Mind.KNOWING and is_known(result.case, result.check)):
        is_left_to_model = False
    return is_left_to_model or result.verdict is Verdict.RIGHT


def counted(results: Sequence[Result]) -> str:
    """Return how many cases came to what."""
    counts = Counter(result.verdict for result in results)
    parts = [f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]]
    return f"{len(results)} cases: {', '.join(parts)}"


def harmful(results: Iterable[Result]) -> list[Result]:
    """Return the cases in which something wrong was kept, taken or told."""
    return [result for result in results if result.verdict in HARMFUL]
