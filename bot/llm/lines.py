"""Answers as labelled lines: `kind: chat`, `u1: likes tea`. Models are asked for such lines or for plain text, never
for a schema, and are parsed leniently: fences, bold labels, bullets, surrounding words and JSON are accepted.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import Final, Literal, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

AnswerT = TypeVar("AnswerT", bound=BaseModel)

NO_NAMES: Final[Mapping[str, str]] = {}

PARAGRAPHS: Final = "paragraphs"
"""Annotates a field of an answer whose text goes on behind a blank line, and in further lines with its label."""

_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*$\n?", re.MULTILINE)
_FENCED: Final = re.compile(
    r"\s*(```|~~~)(?:text|txt|markdown|md|plaintext)?[ \t]*\n(?P<inside>.*?)\n?\1\s*", re.DOTALL
)
_JSON_BEGINS: Final = re.compile(r'\{\s*"|\[\s*\{')

_MARKS: Final = "*_`\"'[]()<>@#|“”«» \t"
_DRESS: Final = re.compile(r"[_*`\"'\[\]()<>@#|“”«»,;]+")
_LABELLED: Final = re.compile(
    r"^\s*(?:[-*•>#|]+\s+|\d{1,2}[.)]\s+)?"
    r"(?P<label>[*_`\"'\[(<@“«]*\w[^:：=\n]{0,47}?)"
    r"\s*(?P<by>[:：=]|\s[-–—]\s|->|→)(?P<text>.*)$"
)
_ID: Final = re.compile(r"(?<!\w)[a-z]{1,2}\d{1,4}(?!\w)", re.IGNORECASE)
_MOST_WORDS: Final = 4
"""Of a label; a longer one is a sentence with a colon in it."""

_STRANGER: Final = "?"
"""The key of a line about somebody whom nobody knows."""

_NOTHING: Final = frozenset({"", "-", "–", "—", "none", "null", "nothing", "nobody", "n/a", "[]", "{}"})
_YES: Final = re.compile(r"(?:yes|true|1)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"-?\d+")
_QUOTED: Final = re.compile(r'"[^"]*"|“[^”]*”|«[^»]*»', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """One labelled line of an answer, with the lines below it that have no label."""

    key: str
    """The id at its head, such as u1; empty for a line of the whole answer."""
    field: str
    """The field that its label names; empty for the text of `key` itself, or for a text without any label."""
    text: str


def lines_of(
    text: str,
    fields: Collection[str] = (),
    *,
    names: Mapping[str, str] = NO_NAMES,
    by_id: bool = True,
    paragraphs: Collection[str] = (),
) -> list[Line]:
    """Return the labelled lines of an answer: `u1: ...`, `u1 mood: ...`, or `mood: ...` for a field `mood`.

    `names` maps names that may stand in place of an id. With `by_id`, lines about anybody else are left out. A text
    ends at a blank line, except for the fields in `paragraphs`. If no line has a label, the whole text is returned as
    one unlabelled line.
    """
    known = {_plain(field): field for field in fields}
    named = {_plain(name): short for name, short in names.items()}
    found: list[Line] = []
    is_open = False
    for line in _FENCE.sub("", text).splitlines():
        labelled = _labelled(line, known, named, by_id=by_id)
        if labelled is not None and labelled.key == _STRANGER and is_open and not found[-1].key:
            # Nobody is told below a field of the whole answer: "Saturday: ..." is a part of it.
            labelled = None
        if labelled is not None:
            found.append(labelled)
            is_open = True
        elif is_open and line.strip():
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n{line.strip()}")
        elif is_open and found[-1].text.strip():
            is_open = found[-1].field in paragraphs and not found[-1].key
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n")
    if not found:
        return [Line("", "", _undressed(text))]
    # A stranger's line is read all the same, so that its words do not go on the line before.
    return [replace(one, text=_undressed(one.text)) for one in found if one.key != _STRANGER]


def _labelled(line: str, fields: Mapping[str, str], names: Mapping[str, str], *, by_id: bool) -> Line | None:
    """Return what a line is about, or `None` where it has no label."""
    found = _LABELLED.match(line)
    if found is None:
        return None
    raw, text = found["label"], _without_open_marks(found["label"], found["text"])
    label = _plain(raw)
    if label in fields:
        return Line("", fields[label], text)
    words = len(label.split())
    if not by_id or words > _MOST_WORDS:
        return None
    of_field = next((name for name in fields if label.endswith(f" {name}")), "")
    key = _key_of(label.removesuffix(f" {of_field}"), names)
    if key is not None:
        return Line(key, fields.get(of_field, ""), text)
    is_a_name = words < _MOST_WORDS and raw.strip(_MARKS)[:1].isupper() and found["by"] in ":："
    return Line(_STRANGER, "", text) if is_a_name or _ID.search(label) else None


def _key_of(label: str, names: Mapping[str, str]) -> str | None:
    """Return the id that a label holds, or for which it is a name; `None` where it says neither, or several ids."""
    ids = set(_ID.findall(label))
    # Whoever calls themselves u1 is not u1.
    name = None if label in ids else names.get(label)
    return name or (ids.pop() if len(ids) == 1 else None)


def _plain(label: str) -> str:
    """Return a label without marks, in lower case, its words apart."""
    return " ".join(_DRESS.sub(" ", label).split()).lower()


def _without_open_marks(label: str, text: str) -> str:
    """Return the text behind a label without the end of what was opened in the label: `**u1:** likes tea`."""
    text = text.strip()
    for mark in ("**", "__", "`", '"'):
        if label.count(mark) % 2:
            text = text.removeprefix(mark) if text.startswith(mark) else text.removesuffix(mark)
    return text.strip()


def _undressed(text: str) -> str:
    """Return a value without the marks of Markdown and the quotation marks around it."""
    text = text.strip().removesuffix("|").strip()
    for mark in ("**", "__", "`"):
        if text.count(mark) == 2 and text.startswith(mark) and text.endswith(mark):
            text = text.removeprefix(mark).removesuffix(mark).strip()
    return text[1:-1].strip() if _QUOTED.fullmatch(text) else text


def answer_in(
    answer: type[AnswerT], text: str, *, is_text: bool = False, names: Mapping[str, str] = NO_NAMES
) -> AnswerT:
    """Return what a model wrote as an `answer`; raises `ValueError` where it is none.

    With `is_text` the answer is the whole of what was written. Any other is read from its lines, or from JSON;
    in a list of things those are left out that are not whole.
    """
    if is_text:
        (field,) = answer.model_fields
        return answer.model_validate({field: _whole_text(text, field)})
    shape = _Shape.of(answer)
    given = _from_json(text, shape)
    if given is None:
        given = _from_lines(text, shape, names)
    if shape.row is not None:
        given[shape.rows] = _whole_rows(given.get(shape.rows), shape, shape.row, names)
    return answer.model_validate(given)


def _whole_text(text: str, field: str) -> str:
    """Return a text without the fence, the label or the JSON in which it came."""
    if re.match(rf'\{{\s*"{field}"', json_text := _FENCE.sub("", text).strip()):
        return str(_decoded(json_text).get(field, ""))
    bare = fenced["inside"] if (fenced := _FENCED.fullmatch(text)) else text
    labelled = re.match(rf"\s*[*_`]*{field}[*_`]*:[*_`]*\s", bare, re.IGNORECASE)
    return (bare[labelled.end() :] if labelled else bare).strip()


@dataclass(frozen=True, slots=True)
class _Shape:
    """What an answer consists of, as its lines show it."""

    values: Mapping[str, FieldInfo]
    """The fields that have a line each."""
    rows: str = ""
    """The field whose things have a line each; empty if there is none."""
    row: type[BaseModel] | None = None
    key: str = ""
    """The field of a thing that stands at the head of its line: the first one."""
    content: str = ""
    """The field that stands behind it: `text`, else the second one."""
    more: tuple[str, ...] = ()
    """The fields of a thing that have lines of their own: `u1 mood: ...`."""

    @classmethod
    def of(cls, answer: type[BaseModel]) -> Self:
        """Return the shape of an answer; it has one list of things at most."""
        values: dict[str, FieldInfo] = {}
        rows, row = "", None
        for name, field in answer.model_fields.items():
            inner = next(iter(get_args(field.annotation)), None)
            is_list = get_origin(field.annotation) is list
            if is_list and isinstance(inner, type) and issubclass(inner, BaseModel):
                rows, row = name, inner
            else:
                values[name] = field
        if row is None:
            return cls(values)
        key, *others = row.model_fields
        content = "text" if "text" in others else others[0]
        return cls(values, rows, row, key, content, tuple(one for one in others if one != content))

    @property
    def labels(self) -> Sequence[str]:
        """What may stand before a colon, beside ids."""
        return [*self.values, *self.more, *filter(None, [self.rows])]


def _from_json(text: str, shape: _Shape) -> dict[str, object] | None:
    """Return the JSON object in a text, `None` if there is none; raises `ValueError` for half of one."""
    bare = _FENCE.sub("", text).strip()
    if not _JSON_BEGINS.match(bare):
        named = re.search(rf'\{{\s*"(?:{"|".join(shape.labels)})"\s*:', bare)
        if named is None:
            return None
        bare = bare[named.start() :]
    given = _decoded(bare)
    if shape.row is None or not given.keys().isdisjoint(shape.labels):
        return given
    # A list without the object around it, or {"u1": "..."}.
    rows = [
        {shape.key: key, **(value if isinstance(value, dict) else {shape.content: value})}
        for key, value in given.items()
    ]
    return {shape.rows: given.get("", rows)}


def _decoded(text: str) -> dict[str, object]:
    """Return the object with which a text begins; a list as what has no name."""
    try:
        given, _ = json.JSONDecoder(strict=False).raw_decode(text)
    except ValueError as error:
        raise ValueError("the JSON is not whole: write lines") from error
    return given if isinstance(given, dict) else {"": given}


def _from_lines(text: str, shape: _Shape, names: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of an answer from its labelled lines; one word or id alone needs no label."""
    given: dict[str, object] = {}
    rows: list[dict[str, object]] = []
    by_id = shape.row is not None
    paragraphs = [name for name, field in shape.values.items() if PARAGRAPHS in field.metadata]
    for line in lines_of(text, shape.labels, names=names, by_id=by_id, paragraphs=paragraphs):
        if line.key or line.field in shape.more:
            _add_to_rows(rows, line, shape)
        elif by_id and line.field == shape.rows:
            for inner in lines_of(line.text, shape.more, names=names):
                _add_to_rows(rows, inner, shape)
        elif line.field:
            before, value = given.get(line.field), _value(line.text, line.field, shape.values[line.field])
            if isinstance(before, str) and line.field in paragraphs:
                given |= {one: f"{before}\n{text}" for one, text in value.items()}
            elif before is None:
                given |= value
        elif len(shape.values) == 1 and not by_id:
            ((field, info),) = shape.values.items()
            # A refusal in prose would pass for any text: a text needs its label.
            if info.annotation is not str:
                given = _value(line.text, field, info)
    return {**given, shape.rows: rows} if by_id else given


def _add_to_rows(rows: list[dict[str, object]], line: Line, shape: _Shape) -> None:
    if line.field in shape.more:
        own = next((row for row in reversed(rows) if line.key in ("", row[shape.key])), None)
        if own is None and line.key:
            own = {shape.key: line.key}
            rows.append(own)
        if own is not None and line.text.lower() not in _NOTHING:
            own[line.field] = line.text
    elif line.key:
        rows.append({shape.key: line.key, shape.content: line.text})
    elif ids := _ID.findall(line.text):
        # Two ids behind the name of the list: "f4 by f1".
        rows.append(dict(zip((shape.key, shape.content), ids, strict=False)))


def _whole_rows(
    given: object, shape: _Shape, row: type[BaseModel], names: Mapping[str, str]
) -> list[BaseModel]:
    """Return the things of a list that are whole; raises `ValueError` where none of them is."""
    rows = given if isinstance(given, list) else []
    named = {_plain(name): short for name, short in names.items()}
    whole: list[BaseModel] = []
    wrong = ""
    for one in rows:
        key = one.get(shape.key) if isinstance(one, dict) else None
        told = {shape.key: _key_of(_plain(key), named) or key} if isinstance(key, str) else {}
        try:
            whole.append(row.model_validate({**one, **told} if isinstance(one, dict) else one))
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]["msg"]
    if rows and not whole:
        raise ValueError(f"{shape.rows}: {wrong}")
    return whole


def _value(text: str, name: str, field: FieldInfo) -> dict[str, object]:
    """Return what the line of a field says, as far as it says something; what is wrong with it pydantic finds."""
    kinds = get_args(field.annotation) if get_origin(field.annotation) in (Union, UnionType) else ()
    kind = next((one for one in kinds if one is not NoneType), field.annotation)
    if get_origin(kind) is list:
        return {name: _items(text)}
    if kind is bool:
        return {name: _YES.match(text) is not None}
    if kind is int and (found := _NUMBER.search(text)):
        return {name: found[0]}
    if words := _allowed(kind):
        return {name: _word_in(text, words)}
    return {} if text.lower() in _NOTHING and not field.is_required() else {name: text}


def _items(text: str) -> list[str]:
    items = [item.strip(_MARKS + ".•-") for item in re.split(r"[,;\n]", text)]
    items = [item for item in items if item.lower() not in _NOTHING]
    if all(_ID.search(item) for item in items):
        return [found.lower() for item in items for found in _ID.findall(item)]
    return items


def _allowed(kind: object) -> Sequence[str]:
    """Return the words that a field may hold, if there are only some."""
    if get_origin(kind) is Literal:
        return [str(one) for one in get_args(kind)]
    return [str(one.value) for one in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []


def _word_in(text: str, words: Sequence[str]) -> str:
    """Return the allowed word with which a value begins, or the only one in it."""
    said = re.findall(r"\w+", text.lower())
    found = list(dict.fromkeys(word for word in said if word in words))
    return found[0] if found and (len(found) == 1 or said[0] in words) else text
