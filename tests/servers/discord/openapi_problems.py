"""What a validator found, in lines that say where and what; of alternatives, the one that was meant."""

from collections import defaultdict
from collections.abc import Iterable

from jsonschema.exceptions import ValidationError

_SHOWN = 80
_CHOICES = ("oneOf", "anyOf")


def problems(errors: Iterable[ValidationError]) -> list[str]:
    """Return a line for each thing that is wrong, `embeds[0].color: ...`, each once."""
    lines = [line for error in errors for line in _lines(error)]
    return list(dict.fromkeys(lines))


def _lines(error: ValidationError) -> list[str]:
    branches: dict[object, list[ValidationError]] = defaultdict(list)
    for inner in error.context or ():
        branches[inner.schema_path[0]].append(inner)
    if error.validator not in _CHOICES or not branches:
        return [f"{_place(error)}: {_said(error)}"]
    if all(len(branch) == 1 and branch[0].validator == "const" for branch in branches.values()):
        values = [inner.validator_value for inner in error.context or ()]
        return [f"{_place(error)}: {_shown(error.instance)} is none of {values}"]
    # Alternatives tell themselves apart by `type`; the rest of one that is not meant is noise.
    meant = min(branches.values(), key=lambda branch: (_another_kind(error, branch), _weight(branch)))
    return [line for inner in meant for line in _lines(inner)]


def _another_kind(error: ValidationError, branch: list[ValidationError]) -> bool:
    depth = len(error.absolute_path)
    return any(
        inner.validator in ("enum", "const", "type") and list(inner.absolute_path)[depth:] in ([], ["type"])
        for inner in branch
    )


def _weight(branch: list[ValidationError]) -> int:
    return sum(1 + _weight(list(inner.context or ())) for inner in branch)


def _place(error: ValidationError) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path]
    return "".join(parts).lstrip(".") or "the whole"


def _said(error: ValidationError) -> str:
    shown = _shown(error.instance)
    match error.validator:
        case "required":
            return str(error.message).replace(" is a required property", " is missing")
        case "oneOf":
            return f"{shown} fits more than one alternative"
        case "type" | "enum" | "const" | "format" | "pattern":
            return f"{shown} does not fit {error.validator} {error.validator_value!r}"
        case _:
            return f"{shown} breaks {error.validator} {error.validator_value!r}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
