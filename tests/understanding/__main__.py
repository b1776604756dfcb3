"""`python -m tests.understanding`: prints what became of each case, and how many came to what."""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.core.settings import state_folder
from tests.databases import Servers
from tests.understanding.judging import DATA, Verdict, read_cases
from tests.understanding.measuring import Result, counted, results_of, results_with, sample, worse
from tests.understanding.minds import Mind
from tests.understanding.talk import called, friends, help_channels, learned


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.understanding", description=__doc__)
    parser.add_argument("--id", nargs="+", default=[], help="only cases whose id begins so")
    parser.add_argument("--kind", choices=[str(kind) for kind in Verdict], help="only what came to this")
    parser.add_argument("--failing", action="store_true", help="only what is not right")
    parser.add_argument(
        "--model", choices=[str(mind) for mind in Mind], help="with a scripted model of this mind"
    )
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="only every so manieth case of each kind"
    )
    parser.add_argument("--talk", action="store_true", help="what is taken out of the chat logs instead")
    return parser.parse_args()


@contextmanager
def _folder() -> Iterator[Path]:
    """Give servers a folder of their own, which their account can reach, and remove it in the end."""
    parent = state_folder() if os.geteuid() == 0 else Path(tempfile.gettempdir())
    parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="tests-", dir=parent))
    folder.chmod(0o755)
    os.environ["STATE_DIRECTORY"] = str(folder)
    servers = folder / "servers"
    servers.mkdir(mode=0o755)
    try:
        yield servers
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _run(arguments: argparse.Namespace, folder: Path) -> list[Result]:
    cases = [
        (case, check)
        for case, check in sample(read_cases(), of=arguments.every)
        if not arguments.id or case.case_id.startswith(tuple(arguments.id))
    ]
    servers, results = Servers(folder), []
    mind = Mind(arguments.model) if arguments.model else None
    played = results_with(servers, cases, mind) if mind else results_of(servers, cases)
    try:
        async for result in played:
            results.append(result)
            is_wanted = result.verdict == arguments.kind if arguments.kind else True
            if is_wanted and not (arguments.failing and result.verdict is Verdict.RIGHT):
                print(result, flush=True)
    finally:
        await servers.stop()
    return results


def _show_talk() -> None:
    talk = [*help_channels(), *friends()]
    taken = [said.text for said in talk if called(said) is not None]
    facts = [(fact, said.text) for said in talk for fact in learned(said)]
    for text in taken:
        print(f"taken for one to the bot: {text}")
    for fact, text in facts:
        print(f"{fact}    ({text[:200]})")
    print(f"{len(talk)} messages: {len(taken)} taken for ones to the bot, {len(facts)} facts learned")


def main() -> int:
    """Play the cases that were asked for, or read the chat logs."""
    arguments = _arguments()
    if arguments.talk:
        _show_talk()
        return 0
    if not DATA.is_file():
        print(f"{DATA} is not here: nothing to measure with", file=sys.stderr)
        return 2
    with _folder() as folder:
        results = asyncio.run(_run(arguments, folder))
    if arguments.model:
        asked = sum("route" in result.asked for result in results)
        made_worse = [one.case.case_id for one in worse(results, Mind(arguments.model))]
        print(f"{asked} went to the router; worse: {', '.join(made_worse) or 'none'}")
    print(counted(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
