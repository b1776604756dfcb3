"""What Discord accepts as an application command; what breaks a rule is told as in the answer 400, code 50035."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

Json: TypeAlias = dict[str, object]
Where: TypeAlias = tuple[str | int, ...]


class CommandKind(IntEnum):
    """Discord's types of application commands."""

    CHAT = 1
    USER = 2
    MESSAGE = 3


class OptionKind(IntEnum):
    """Discord's types of options."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


LOCALES = frozenset(
    "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th "
    "zh-CN ja zh-TW ko".split()
)
"""The languages that Discord's clients speak, and that names may be given in."""

_MOST_OPTIONS = 25
_MOST_CHOICES = 25
_LONGEST_NAME = 32
_LONGEST_DESCRIPTION = 100
_LONGEST_CHOICE = 100
_LONGEST_COMMAND = 8000
_NESTED = (OptionKind.SUBCOMMAND, OptionKind.GROUP)
_INSIDE = {
    OptionKind.GROUP: set(OptionKind),
    OptionKind.SUBCOMMAND: {OptionKind.SUBCOMMAND},
    OptionKind.STRING: set(OptionKind) - set(_NESTED),
}
"""What may be inside of what, by the deepest kind of nesting that is still allowed."""
_TYPED_INTO = (OptionKind.STRING, OptionKind.INTEGER, OptionKind.NUMBER)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One broken rule: where in the body, Discord's name for it, and its sentence."""

    where: Where
    code: str
    sentence: str


def form_errors(mistakes: Sequence[Mistake]) -> Json:
    """Return the `errors` of an answer 400 (code 50035): `mistakes` at their places."""
    errors: Json = {}
    for mistake in mistakes:
        inner = errors
        for part in mistake.where:
            inner = inner.setdefault(str(part), {})  # type: ignore[assignment]
        told: list[Json] = inner.setdefault("_errors", [])  # type: ignore[assignment]
        told.append({"code": mistake.code, "message": mistake.sentence})
    return errors


def mistakes_in(command: Json, where: Where = ()) -> list[Mistake]:
    """Return every rule that a command's body breaks; `where` is the place of the command in the request."""
    kind = command.get("type") or CommandKind.CHAT
    if kind not in set(CommandKind):
        return [Mistake((*where, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3}.")]
    found = [*_named(command, where, in_chat=kind == CommandKind.CHAT)]
    if kind == CommandKind.CHAT:
        found += [*_described(command, where), *_optioned(command, where, OptionKind.GROUP)]
        if _length(command) > _LONGEST_COMMAND:
            found.append(Mistake(where, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size"))
    else:
        for field in ("description", "options"):
            if command.get(field):
                found.append(
                    Mistake(
                        (*where, field),
                        f"APPLICATION_COMMAND_{field.upper()}_NOT_ALLOWED",
                        f"Context menu commands cannot have {field}",
                    )
                )
    return found


def _named(thing: Json, where: Where, *, in_chat: bool) -> Iterator[Mistake]:
    for place, name in _in_all_languages(thing, "name", where):
        if not isinstance(name, str):
            yield _missing(place)
        elif not 1 <= len(name) <= _LONGEST_NAME:
            yield _bad_length(place, _LONGEST_NAME)
        elif in_chat and not _fits_chat(name):
            yield Mistake(place, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    yield from _spoken(thing, where)


def _described(thing: Json, where: Where) -> Iterator[Mistake]:
    for place, text in _in_all_languages(thing, "description", where):
        if not isinstance(text, str):
            yield _missing(place)
        elif not 1 <= len(text) <= _LONGEST_DESCRIPTION:
            yield _bad_length(place, _LONGEST_DESCRIPTION)


def _in_all_languages(thing: Json, field: str, where: Where) -> Iterator[tuple[Where, object]]:
    yield (*where, field), thing.get(field)
    localised = thing.get(f"{field}_localizations")
    if isinstance(localised, Mapping):
        for locale, text in localised.items():
            yield (*where, f"{field}_localizations", locale), text


def _spoken(thing: Json, where: Where) -> Iterator[Mistake]:
    for field in ("name_localizations", "description_localizations"):
        localised = thing.get(field)
        if isinstance(localised, Mapping):
            for locale in sorted(set(localised) - LOCALES):
                yield Mistake((*where, field), "DICT_TYPE_KEYS", f"Locale {locale!r} is not supported")


def _optioned(thing: Json, where: Where, deepest: OptionKind) -> Iterator[Mistake]:
    options = thing.get("options") or []
    assert isinstance(options, list), f"options are a list, not {options!r}"
    if len(options) > _MOST_OPTIONS:
        yield _bad_length((*where, "options"), _MOST_OPTIONS)
    names = [option.get("name") for option in options]
    if len(set(names)) < len(names):
        yield Mistake(
            (*where, "options"),
            "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
            "Option name must be unique",
        )
    yield from _ordered(options, where)
    for number, option in enumerate(options):
        yield from _option(option, (*where, "options", number), deepest)


def _ordered(options: Sequence[Json], where: Where) -> Iterator[Mistake]:
    optional_seen = False
    for number, option in enumerate(options):
        if option.get("required") and optional_seen:
            yield Mistake(
                (*where, "options", number),
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not option.get("required")
    if len({option.get("type") in _NESTED for option in options}) > 1:
        yield Mistake(
            (*where, "options"),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )


def _option(option: Json, where: Where, deepest: OptionKind) -> Iterator[Mistake]:
    kind = option.get("type")
    allowed = _INSIDE[deepest]
    if kind not in allowed:
        yield Mistake(
            (*where, "type"), "BASE_TYPE_CHOICES", f"Value must be one of {sorted(map(int, allowed))}."
        )
        return
    yield from _named(option, where, in_chat=True)
    yield from _described(option, where)
    if kind == OptionKind.GROUP:
        yield from _optioned(option, where, OptionKind.SUBCOMMAND)
    elif kind == OptionKind.SUBCOMMAND:
        yield from _optioned(option, where, OptionKind.STRING)
    else:
        yield from _chosen(option, where)


def _chosen(option: Json, where: Where) -> Iterator[Mistake]:
    choices = option.get("choices") or []
    assert isinstance(choices, list), f"choices are a list, not {choices!r}"
    if len(choices) > _MOST_CHOICES:
        yield _bad_length((*where, "choices"), _MOST_CHOICES)
    for number, choice in enumerate(choices):
        if not 1 <= len(str(choice.get("name", ""))) <= _LONGEST_CHOICE:
            yield _bad_length((*where, "choices", number, "name"), _LONGEST_CHOICE)
    if option.get("autocomplete") and (choices or option["type"] not in _TYPED_INTO):
        yield Mistake(
            (*where, "autocomplete"),
            "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID",
            "Autocomplete is for text and numbers without choices",
        )


def _fits_chat(name: str) -> bool:
    return name == name.lower() and all(letter.isalnum() or letter in "-_'" for letter in name)


def _length(thing: Json) -> int:
    longest = sum(
        max(len(str(text or "")) for _, text in _in_all_languages(thing, field, ()))
        for field in ("name", "description")
    )
    inner: list[Json] = [*(thing.get("options") or ()), *(thing.get("choices") or ())]  # type: ignore[misc]
    value = thing.get("value")
    return longest + (len(value) if isinstance(value, str) else 0) + sum(map(_length, inner))


def _missing(where: Where) -> Mistake:
    return Mistake(where, "BASE_TYPE_REQUIRED", "This field is required")


def _bad_length(where: Where, most: int) -> Mistake:
    return Mistake(where, "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {most} in length.")
