"""Print how large the code is and how it hangs together: `python scripts/measure_code.py`.

Modules are the `.py` files of `bot/` with content; an importer is another such module that imports a module or a
name of it, wherever in its text. A class name counts as used twice if two modules define a public class of it.
"""

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parent.parent
_SHORT_LINES: Final = 80


def main() -> None:
    """Print one line a figure: its name, and the number."""
    texts = {_name(path): path.read_text(encoding="utf-8") for path in sorted((_ROOT / "bot").rglob("*.py"))}
    texts = {name: text for name, text in texts.items() if text.strip()}
    trees = {name: ast.parse(text) for name, text in texts.items()}
    lines = {name: len(text.splitlines()) for name, text in texts.items()}
    importers = _importers(trees)
    single = [name for name in texts if len(importers[name]) == 1]
    tables = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in _ROOT.glob("bot/**/*.toml"))
    for figure, number in (
        ("modules with content", len(texts)),
        ("lines of .py and .toml", sum(lines.values()) + tables),
        ("lines of the longest module", max(lines.values())),
        ("modules with one importer", len(single)),
        (f"of these under {_SHORT_LINES} lines", sum(lines[name] < _SHORT_LINES for name in single)),
        ("reads and writes wrapped in a lambda", _lambdas(trees)),
        ("fields read from a row by name", sum(text.count('=row["') for text in texts.values())),
        ("public class names with two meanings", len(_class_names_used_twice(trees))),
    ):
        print(f"{figure:<40}{number:>8,}")


def _name(path: Path) -> str:
    parts = path.relative_to(_ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _importers(trees: dict[str, ast.Module]) -> defaultdict[str, set[str]]:
    """Return, for every module, which others import it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                targets = [f"{node.module}.{alias.name}" for alias in node.names]
                for target in {one if one in trees else node.module for one in targets}:
                    found[target].add(name)
    return found


def _lambdas(trees: dict[str, ast.Module]) -> int:
    """Return how often `read` or `write` of the database is given a lambda."""
    return sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"read", "write"}
        and any(isinstance(given, ast.Lambda) for given in node.args)
        for tree in trees.values()
        for node in ast.walk(tree)
    )


def _class_names_used_twice(trees: dict[str, ast.Module]) -> set[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                (twice if node.name in seen else seen).add(node.name)
    return twice


if __name__ == "__main__":
    main()
