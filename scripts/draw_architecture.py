"""Prints the picture in `docs/architecture.md`: which room of `bot/` imports which, read from the code.

`python scripts/draw_architecture.py --write` puts it into the page. An arrow that follows from two others is left
out, and an import against the order of the contracts in `pyproject.toml` is drawn with a dotted arrow.
"""

import ast
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs/architecture.md"
BEGIN: Final = "<!-- drawn by scripts/draw_architecture.py -->\n"
END: Final = "<!-- end of the drawing -->\n"

Arrow = tuple[str, str]


def rooms_in_order() -> list[list[str]]:
    """Return the rooms as the layers of the contracts name them, the highest first."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    rooms, slices = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    order: list[list[str]] = []
    for layer in rooms:
        names = [name.strip().removeprefix("bot.") for name in layer.split("|")]
        order += [[f"memory_{name}"] for name in slices] if names == ["memory"] else [names]
    return [names for names in order if names != ["__main__"]]


def room_of(module: str) -> str:
    """Return the room of a module, such as `memory_facts` of `bot.memory.facts.slots`; "" for `bot` itself."""
    _, room, part, *_ = [*module.split("."), "", ""]
    return f"memory_{part}" if room == "memory" and part else room


def imported(node: ast.AST) -> Iterator[str]:
    """Yield what a module imports of `bot`, in its functions too, but not what it imports for types alone."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            pass
        case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "bot":
            yield from (f"{module}.{name.name}" for name in names)
        case ast.Import(names=names):
            yield from (name.name for name in names if name.name.startswith("bot."))
        case _:
            for child in ast.iter_child_nodes(node):
                yield from imported(child)


def arrows() -> set[Arrow]:
    """Return which room imports which."""
    known = {name for names in rooms_in_order() for name in names}
    found: set[Arrow] = set()
    for path in (ROOT / "bot").rglob("*.py"):
        room = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        found |= {(room, room_of(name)) for name in imported(ast.parse(path.read_text(encoding="utf-8")))}
    return {(one, other) for one, other in found if one != other and {one, other} <= known}


def implied(pairs: set[Arrow]) -> set[Arrow]:
    """Return the arrows that follow from two or more of `pairs`."""
    longer: set[Arrow] = set()
    while new := {(one, end) for one, to in pairs for start, end in pairs | longer if start == to} - longer:
        longer |= new
    return longer


def drawn(arrow: str, pairs: set[Arrow]) -> Iterator[str]:
    """Yield a line for each room from which arrows of this kind go out."""
    for room in sorted({one for one, _ in pairs}):
        yield f"  {room} {arrow} {' & '.join(sorted(other for one, other in pairs if one == room))}"


def picture() -> str:
    """Return the picture as a block of Mermaid."""
    order = rooms_in_order()
    height = {name: -place for place, names in enumerate(order) for name in names}
    found = arrows()
    down = {(one, other) for one, other in found if height[one] > height[other]}
    boxes = "; ".join(f"{name}[{name[7:]}]" for names in order for name in names if name[:7] == "memory_")
    lines = [
        "flowchart TD",
        "  subgraph memory",
        *textwrap.wrap(boxes, 110, initial_indent="    ", subsequent_indent="    "),
    ]
    lines += ["  end", *drawn("-->", down - implied(down)), *drawn("-.->", found - down)]
    return "\n".join(["```mermaid", *lines, "```", ""])


if __name__ == "__main__":
    if "--write" not in sys.argv:
        sys.exit(print(picture()))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{picture()}{END}{rest.partition(END)[2]}", encoding="utf-8")
