"""What a user typed after a slash, as an interaction's options; typed as Discord's client lets it be typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tests.servers.discord.command_rules import OptionKind
from tests.servers.discord.commands import FakeCommand, known_as
from tests.servers.discord.components import NotOfferedError
from tests.servers.discord.scene import Resolved
from tests.servers.discord.state import FakeChannel, FakeMember, FakeRole, FakeUser, Json

Value: TypeAlias = str | int | float | bool | FakeUser | FakeMember | FakeChannel | FakeRole
"""What a test gives for an option; users, roles and channels may be named."""


@dataclass(frozen=True, slots=True)
class Focus:
    """The option that somebody is typing into."""

    name: str
    typed: str


def options_of(
    command: FakeCommand,
    words: Sequence[str],
    values: Mapping[str, Value],
    resolved: Resolved,
    focus: Focus | None = None,
) -> list[Json]:
    """Return the options of an interaction: `words` are the subcommands, `values` by the options' names.

    What stands behind ids is put into `resolved`. Raises `NotOfferedError` for a name that the command does not have,
    an option that is missing, and a value that Discord's client would not let go.
    """
    return _inside(command.name, command.options, words, values, resolved, focus)


def _inside(
    name: str,
    offered: Sequence[Json],
    words: Sequence[str],
    values: Mapping[str, Value],
    resolved: Resolved,
    focus: Focus | None,
) -> list[Json]:
    locale = resolved.scene.user.locale
    nested = [option for option in offered if option["type"] in (OptionKind.SUBCOMMAND, OptionKind.GROUP)]
    if not words and not nested:
        return _values(name, offered, values, resolved, focus)
    word = words[0] if words else "nothing"
    for option in nested:
        if words and known_as(option, word, locale):
            inner: list[Json] = option["options"]  # type: ignore[assignment]
            options = _inside(f"{name} {word}", inner, words[1:], values, resolved, focus)
            return [{"name": option["name"], "type": option["type"], "options": options}]
    raise NotOfferedError(f"/{name} offers no {word!r}, only {[option['name'] for option in nested]}")


def _values(
    name: str,
    offered: Sequence[Json],
    values: Mapping[str, Value],
    resolved: Resolved,
    focus: Focus | None,
) -> list[Json]:
    locale = resolved.scene.user.locale
    left = dict(values)
    given: list[Json] = []
    for option in offered:
        known = [key for key in left if known_as(option, key, locale)]
        body: Json = {"name": option["name"], "type": option["type"]}
        if focus is not None and known_as(option, focus.name, locale):
            if not option.get("autocomplete"):
                raise NotOfferedError(f"the option {focus.name!r} of /{name} proposes nothing")
            given.append({**body, "value": focus.typed, "focused": True})
        elif known:
            given.append({**body, "value": _value(option, left.pop(known[0]), resolved)})
        elif option.get("required") and focus is None:
            raise NotOfferedError(f"/{name} needs the option {option['name']!r}")
    if left:
        raise NotOfferedError(
            f"/{name} has no option {next(iter(left))!r}, only {[option['name'] for option in offered]}"
        )
    if focus is not None and not any(option.get("focused") for option in given):
        raise NotOfferedError(f"/{name} has no option {focus.name!r} to type into")
    return given


def _value(option: Json, value: Value, resolved: Resolved) -> object:
    kind = OptionKind(int(str(option["type"])))
    if option.get("choices"):
        return _choice(option, value)
    match kind:
        case OptionKind.STRING:
            return _text(option, value)
        case OptionKind.INTEGER | OptionKind.NUMBER:
            return _number(option, value, kind)
        case OptionKind.BOOLEAN:
            if not isinstance(value, bool):
                raise NotOfferedError(f"{option['name']!r} is yes or no, not {value!r}")
            return value
        case OptionKind.USER | OptionKind.ROLE | OptionKind.CHANNEL | OptionKind.MENTIONABLE:
            return referred(kind, value, resolved)
        case _:
            raise NotOfferedError(
                f"the loopback cannot give the option {option['name']!r} of type {kind.name}"
            )


def referred(kind: OptionKind, value: object, resolved: Resolved) -> str:
    """Return the id of a user, role or channel that is given or named, and put it into `resolved`.

    Raises `NotOfferedError` for a thing of another kind, `LookupError` for a name that nobody has.
    """
    scene = resolved.scene
    if kind in (OptionKind.USER, OptionKind.MENTIONABLE):
        if isinstance(value, FakeMember):
            value = value.user
        if isinstance(value, str) and scene.guild is not None and kind is OptionKind.USER:
            value = scene.guild.member(value).user
        if isinstance(value, str) and scene.guild is None:
            named = [user for user in (scene.user, scene.world.bot) if user.name == value]
            value = named[0] if named else value
        if isinstance(value, FakeUser):
            return resolved.add_user(value)
    if scene.guild is not None:
        if kind in (OptionKind.ROLE, OptionKind.MENTIONABLE) and isinstance(value, FakeRole | str):
            return resolved.add_role(scene.guild.role(value))
        if kind is OptionKind.CHANNEL and isinstance(value, FakeChannel | str):
            return resolved.add_channel(scene.guild.channel(value))
    raise NotOfferedError(f"{value!r} is no {kind.name.lower()} here")


def _text(option: Json, value: Value) -> str:
    if not isinstance(value, str):
        raise NotOfferedError(f"{option['name']!r} takes text, not {value!r}")
    least, most = int(str(option.get("min_length", 0))), int(str(option.get("max_length", 6000)))
    if not least <= len(value) <= most:
        raise NotOfferedError(f"{option['name']!r} takes {least} to {most} letters, not {len(value)}")
    return value


def _number(option: Json, value: Value, kind: OptionKind) -> int | float:
    wrong = kind is OptionKind.INTEGER and isinstance(value, float)
    if isinstance(value, bool) or not isinstance(value, int | float) or wrong:
        raise NotOfferedError(f"{option['name']!r} takes a number, not {value!r}")
    least, most = float(str(option.get("min_value", "-inf"))), float(str(option.get("max_value", "inf")))
    if not least <= value <= most:
        raise NotOfferedError(f"{option['name']!r} takes {least} to {most}, not {value}")
    return value


def _choice(option: Json, value: Value) -> object:
    choices: list[Json] = option["choices"]  # type: ignore[assignment]
    for choice in choices:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    raise NotOfferedError(
        f"{option['name']!r} is one of {[choice['name'] for choice in choices]}, not {value!r}"
    )
