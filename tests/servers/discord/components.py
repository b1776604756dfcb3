"""Buttons, selects and the fields of forms: as Discord keeps them, and as it tells what a user did with them."""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

from tests.servers.discord.command_rules import Mistake, Where
from tests.servers.discord.state import Json


class ComponentKind(IntEnum):
    """Discord's types of components that the loopback knows by name."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    CONTAINER = 17
    LABEL = 18


SELECTS = frozenset(
    {
        ComponentKind.STRING_SELECT,
        ComponentKind.USER_SELECT,
        ComponentKind.ROLE_SELECT,
        ComponentKind.MENTIONABLE_SELECT,
        ComponentKind.CHANNEL_SELECT,
    }
)

LINK = 5
PREMIUM = 6
"""Styles of buttons that no bot hears of when they are pressed."""

_MOST_ROWS = 5
_MOST_BUTTONS = 5
_LONGEST_LABEL = 80
_LONGEST_CUSTOM_ID = 100
_LONGEST_INPUT = 4000
_INNER = ("components", "component", "accessory")


class NotOfferedError(LookupError):
    """What a test wants to do is not there to be done: no such button or command, or not for this user."""


def each(components: Sequence[Json]) -> Iterator[Json]:
    """Yield all components, outer ones before what they hold."""
    for component in components:
        yield component
        yield from each(inner_of(component))


def inner_of(component: Json) -> list[Json]:
    """Return what a component holds."""
    found: list[Json] = []
    for field in _INNER:
        inner = component.get(field)
        found += inner if isinstance(inner, list) else [inner] if isinstance(inner, dict) else []
    return found


def kept(components: Sequence[Json]) -> list[Json]:
    """Return components as Discord keeps them: each numbered, and with what was left to the default."""
    taken = {component["id"] for component in each(components) if component.get("id")}
    numbers = (number for number in range(1, 1000) if number not in taken)
    return [_kept(component, numbers) for component in components]


def _kept(component: Json, numbers: Iterator[int]) -> Json:
    body = _without_nulls(component)
    body["id"] = component.get("id") or next(numbers)
    if component["type"] in SELECTS:
        body = {"min_values": 1, "max_values": 1, **body}
        body.pop("required", None)
    for field in _INNER:
        inner = body.get(field)
        if isinstance(inner, list):
            body[field] = [_kept(each_inner, numbers) for each_inner in inner]
        elif isinstance(inner, dict):
            body[field] = _kept(inner, numbers)
    return body


def _without_nulls(thing: Json) -> Json:
    made: Json = {}
    for name, value in thing.items():
        if isinstance(value, dict):
            made[name] = _without_nulls(value)
        elif isinstance(value, list):
            made[name] = [_without_nulls(one) if isinstance(one, dict) else one for one in value]
        elif value is not None:
            made[name] = value
    return made


def mistakes_in_components(components: Sequence[Json], where: Where = ("components",)) -> list[Mistake]:
    """Return every rule that the components of a message break."""
    found = []
    rows = [component for component in components if component.get("type") == ComponentKind.ROW]
    if len(rows) > _MOST_ROWS and len(rows) == len(components):
        found.append(Mistake(where, "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {_MOST_ROWS} in length."))
    for number, row in enumerate(components):
        inside = inner_of(row)
        wide = any(component.get("type") in SELECTS for component in inside)
        most = 1 if wide else _MOST_BUTTONS
        if row.get("type") == ComponentKind.ROW and not 1 <= len(inside) <= most:
            found.append(
                Mistake(
                    (*where, number, "components"),
                    "BASE_TYPE_BAD_LENGTH",
                    f"Must be between 1 and {most} in length.",
                )
            )
    used: set[object] = set()
    for component in each(components):
        custom_id = component.get("custom_id")
        if custom_id is not None and custom_id in used:
            found.append(
                Mistake(where, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
            )
        used.add(custom_id)
        for field, most in (("custom_id", _LONGEST_CUSTOM_ID), ("label", _LONGEST_LABEL)):
            if len(str(component.get(field) or "")) > most:
                found.append(
                    Mistake((*where, field), "BASE_TYPE_BAD_LENGTH", f"Must be {most} or fewer in length.")
                )
    return found


def labels(components: Sequence[Json]) -> list[str]:
    """Return what can be pressed or chosen from, by label, else placeholder, else custom id."""
    return [_label(component) for component in each(components) if _can_act(component)]


def find(components: Sequence[Json], name: str) -> Json:
    """Return the button or select with this label, placeholder, emoji or custom id.

    Raises `NotOfferedError` where there is none, or a user cannot use it.
    """
    for component in each(components):
        if _can_act(component) and name in (component.get("custom_id"), *_faces(component)):
            if component.get("disabled"):
                raise NotOfferedError(f"{name!r} is disabled")
            if component.get("style") in (LINK, PREMIUM):
                raise NotOfferedError(f"{name!r} leads elsewhere; the bot never hears of it")
            return component
    raise NotOfferedError(f"there is no {name!r} to press, only {labels(components)}")


def _can_act(component: Json) -> bool:
    return component["type"] == ComponentKind.BUTTON or component["type"] in SELECTS


def _faces(component: Json) -> list[object]:
    emoji = component.get("emoji")
    drawn = emoji.get("name") if isinstance(emoji, dict) else None
    return [face for face in (component.get("label"), component.get("placeholder"), drawn) if face]


def _label(component: Json) -> str:
    return str(next(iter((*_faces(component), component.get("custom_id"), "?"))))


def chosen(select: Json, values: Sequence[str]) -> list[str]:
    """Return the values of a select's options that are named by label or value. Raises `NotOfferedError`."""
    least, most = int(str(select.get("min_values", 1))), int(str(select.get("max_values", 1)))
    if not least <= len(values) <= most:
        raise NotOfferedError(f"{len(values)} values chosen of {least} to {most}")
    if select["type"] != ComponentKind.STRING_SELECT:
        return list(values)
    options: list[Json] = select["options"]  # type: ignore[assignment]
    found = []
    for wanted in values:
        fits = [option["value"] for option in options if wanted in (option["label"], option["value"])]
        if not fits:
            offered = [option["label"] for option in options]
            raise NotOfferedError(f"{wanted!r} is not offered, only {offered}")
        found.append(str(fits[0]))
    return found


def fields(modal: Json) -> dict[str, Json]:
    """Return the fields of a form by custom id."""
    return {str(field["custom_id"]): field for field in each(_components(modal)) if "custom_id" in field}


def filled_in(modal: Json, values: Mapping[str, str | Sequence[str]]) -> list[Json]:
    """Return what is sent when a user fills a form in; `values` by custom id or label.

    What is left out keeps what the form proposed. Raises `NotOfferedError` for a field that is not there and for a
    value that Discord's client would not let go.
    """
    by_label = {
        str(label.get("label")): str(inner["custom_id"])
        for label in each(_components(modal))
        for inner in (inner_of(label) or [label])
        if label.get("label") and "custom_id" in inner
    }
    known = fields(modal)
    given = {by_label.get(name, name): value for name, value in values.items()}
    for name in given.keys() - known.keys():
        raise NotOfferedError(f"the form has no field {name!r}, only {[*known, *by_label]}")
    return [_sent(component, given) for component in kept(_components(modal))]


def _components(modal: Json) -> list[Json]:
    return modal["components"]  # type: ignore[return-value]


def _sent(component: Json, given: Mapping[str, str | Sequence[str]]) -> Json:
    body: Json = {"type": component["type"], "id": component["id"]}
    if component["type"] == ComponentKind.ROW:
        return {**body, "components": [_sent(inner, given) for inner in inner_of(component)]}
    if component["type"] == ComponentKind.LABEL:
        return {**body, "component": _sent(inner_of(component)[0], given)}
    if "custom_id" not in component:
        return body
    custom_id = str(component["custom_id"])
    body["custom_id"] = custom_id
    value = given.get(custom_id)
    if component["type"] == ComponentKind.TEXT_INPUT:
        return {**body, "value": _typed(component, value)}
    values = [value] if isinstance(value, str) else list(value or ())
    return {**body, "values": chosen(component, values)}


def _typed(field: Json, value: str | Sequence[str] | None) -> str:
    text = str(field.get("value", "")) if value is None else str(value)
    least = int(str(field.get("min_length", 0)))
    most = int(str(field.get("max_length", _LONGEST_INPUT)))
    if not text and field.get("required", True):
        raise NotOfferedError(f"the field {field['custom_id']!r} must be filled in")
    if text and not least <= len(text) <= most:
        raise NotOfferedError(f"{field['custom_id']!r} takes {least} to {most} letters, not {len(text)}")
    return text
