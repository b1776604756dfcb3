"""The figures of a run with faults, for people."""

from tests.chaos.comparing import edited_late, refused, strictly_compared
from tests.chaos.run import Played
from tests.chaos.script import Script, counted
from tests.chaos.weather import Fault

_KINDS = ("lost", "doubled", "revived", "unanswered", "different")


def table(script: Script, calm: Played, stormy: Played) -> str:
    """Return what happened, and how much of it is wrong, as lines of a table."""
    figures = {
        "seed": script.seed,
        **counted(script),
        "answers compared word by word": len(
            strictly_compared(script, stormy.left) & strictly_compared(script, calm.left)
        ),
        "late commands, carried out without a word": len(stormy.left.late),
        "late commands, edited after that": len(edited_late(script, stormy.left)),
        "overtaken by what forgets them, so refused": len(refused(script, stormy.left)),
        "starts of the bot": stormy.starts,
        **{f"fault: {fault}": stormy.happened[fault] for fault in Fault if fault in stormy.happened},
        "seconds": round(stormy.seconds),
        **{kind: sum(one.kind == kind for one in stormy.wrong) for kind in _KINDS},
    }
    width = max(map(len, figures))
    lines = [f"{name:<{width}}  {value:>7}" for name, value in figures.items()]
    return "\n".join([*lines, *(f"seed {script.seed}: {one}" for one in stormy.wrong)])
