"""Which files are exports, whole and of which channel; and what is refused."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.adapters.archive.importing import ExportFile
from bot.adapters.archive.records import ArchivedMessage, BrokenRecord
from bot.core.domain import MAX_ID, OPEN, MessageKind
from bot.core.errors import ArchiveError
from tests.adapters.archive.exports import (
    BOB,
    CHANNEL_ID,
    GUILD_ID,
    IRC_GUILD_ID,
    IRC_MESSAGES,
    document,
    irc_files,
    record,
    write,
)


def test_the_real_exports_are_read_to_the_last_message() -> None:
    exports = [ExportFile.open(file) for file in irc_files()]
    records = [heard for export in exports for heard in export.messages(audience=OPEN)]
    heard = [one for one in records if isinstance(one, ArchivedMessage)]
    assert sum(export.records for export in exports) == len(records) == len(heard) == IRC_MESSAGES
    assert {export.guild.guild_id for export in exports} == {IRC_GUILD_ID}
    assert {export.guild.name for export in exports} == {"Ubuntu help"}
    assert [export.channel.name for export in exports] == ["ubuntu", "ubuntu-2006"]
    assert sum(one.message.reply_to_id is not None for one in heard) == 864 + 782
    assert {one.message.kind for one in heard} == {MessageKind.MEMBER}


def test_a_direct_message_channel_is_a_guild_of_its_own(tmp_path: Path) -> None:
    export = ExportFile.open(
        write(
            tmp_path,
            document(
                [record(1)],
                guild={"id": "0", "name": "Direct Messages", "iconUrl": ""},
                channel={"id": "555", "type": "DirectTextChat", "name": "bob"},
            ),
        )
    )
    assert (export.guild.guild_id, export.guild.direct) == (555, True)
    assert (export.channel.guild_id, export.channel.channel_id) == (555, 555)
    (heard,) = export.messages(audience=OPEN)
    assert isinstance(heard, ArchivedMessage)
    assert (heard.message.guild_id, heard.message.channel_id) == (555, 555)


def test_the_order_of_the_fields_and_a_byte_order_mark_make_no_difference(tmp_path: Path) -> None:
    turned = dict(reversed(document([record(1)]).items()))
    file = tmp_path / "turned.json"
    file.write_text(json.dumps(turned, indent=2), encoding="utf-8-sig")
    export = ExportFile.open(file)
    assert (export.guild.guild_id, export.channel.channel_id, export.records) == (GUILD_ID, CHANNEL_ID, 1)
    assert len(list(export.messages(audience=OPEN))) == 1


def test_values_that_cross_the_borders_of_what_is_read_at_once_stay_whole(tmp_path: Path) -> None:
    records = [record(number, "ж" * 700 + str(number)) for number in range(1, 3001)]
    export = ExportFile.open(write(tmp_path, document(records)))
    texts = [
        heard.message.text for heard in export.messages(audience=OPEN) if isinstance(heard, ArchivedMessage)
    ]
    assert texts == ["ж" * 700 + str(number) for number in range(1, 3001)]


def test_a_number_that_crosses_such_a_border_is_one_number(tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    numbers = {"messages": [1234567] * 150_000, **{name: document([])[name] for name in ("guild", "channel")}}
    # Eight characters each after a head of thirteen: the border after a binary million cuts one of them.
    file.write_text(json.dumps(numbers, separators=(",", ":")), encoding="utf-8")
    assert ExportFile.open(file).records == 150_000


WHOLE = json.dumps(document([record(1), record(2)]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", 'does not begin with "{"'),
        ("<!DOCTYPE html>", 'does not begin with "{"'),
        ("[1, 2]", 'does not begin with "{"'),
        ("{}", 'has no object "guild"'),
        (json.dumps(document([], guild="Ubuntu")), 'has no object "guild"'),
        (json.dumps({**document([]), "channel": None}), 'has no object "channel"'),
        (json.dumps({**document([]), "messages": {"1": record(1)}}), 'has no list "messages"'),
        (json.dumps(document([], guild={"id": "x", "name": "y"})), "names no guild by its id"),
        (json.dumps(document([], channel={"id": "0", "name": "y"})), "names no channel by its id"),
        (WHOLE[:-200], "is cut off or damaged"),
        (WHOLE[:-1], "ends in the middle"),
        (WHOLE + "{}", "goes on after its end"),
        (WHOLE.replace('"guild":', '"guild"='), "has '=' where ':' should be"),
        ('{"messages": ' + "[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_file_that_is_no_export_is_refused_in_one_line(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ArchiveError) as refusal:
        ExportFile.open(file)
    line = f"x.json is no JSON export of DiscordChatExporter that can be read: it {reason}"
    assert str(refusal.value) == line


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(WHOLE.encode("utf-16"))
    with pytest.raises(ArchiveError, match="it is not written in UTF-8"):
        ExportFile.open(tmp_path / "x.json")


def test_what_is_no_file_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(
        ArchiveError, match=f"^{tmp_path}/nowhere.json cannot be read: there is no such file$"
    ):
        ExportFile.open(tmp_path / "nowhere.json")
    with pytest.raises(ArchiveError, match=f"^{tmp_path} cannot be read: it is no ordinary file$"):
        ExportFile.open(tmp_path)


ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["1" * 30, 10**25, "0"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
RICH = record(
    1,
    "@Bob hi",
    mentions=[BOB],
    attachments=[{"fileName": "a.png"}],
    embeds=[{"title": "t", "description": "d"}],
    stickers=[{"name": "s"}],
    reference={"messageId": "5"},
    poll={"question": "q", "answers": [{"text": "a"}]},
    forwardedMessage={"content": "f", "attachments": [{"fileName": "b"}]},
)


def paths(value: object) -> list[tuple[str | int, ...]]:
    """Return the path of every value inside of `value`."""
    children: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    return [(), *((key, *path) for key, child in children for path in paths(child))]


@st.composite
def mutated_exports(draw: st.DrawFn) -> object:
    """Return a good export of which up to three values were replaced or taken away."""
    whole: object = copy.deepcopy(document([RICH, record(2)]))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(paths(whole)))
        if not path:
            return draw(ANY_JSON)
        holder = whole
        for key in path[:-1]:
            holder = holder[key]  # type: ignore[index]
        if isinstance(holder, dict) and draw(st.booleans()):
            del holder[path[-1]]
        else:
            holder[path[-1]] = draw(ANY_JSON)  # type: ignore[index]
    return whole


def read_or_refuse(file: Path) -> None:
    """Read everything in `file`; any failure but a refusal in one line is a failure of the test."""
    try:
        export = ExportFile.open(file)
        records = list(export.messages(audience=OPEN))
    except ArchiveError as refusal:
        assert "\n" not in str(refusal)
        return
    assert len(records) == export.records
    for one in records:
        if isinstance(one, BrokenRecord):
            assert "\n" not in str(one)
            continue
        for text in (one.message.text, *one.message.attachments, *(member.name for member in one.members)):
            assert "\0" not in text
            text.encode("utf-8")
        assert 0 < one.message.message_id <= MAX_ID
        assert 0 < one.message.user_id <= MAX_ID


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=ANY_JSON | mutated_exports())
def test_any_json_is_read_or_refused(tmp_path: Path, content: object) -> None:
    read_or_refuse(write(tmp_path, content))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, len(WHOLE)), bad=st.binary(max_size=6), cut=st.integers(0, 40))
def test_any_damaged_file_is_read_or_refused(tmp_path: Path, position: int, bad: bytes, cut: int) -> None:
    raw = WHOLE.encode()
    file = tmp_path / "damaged.json"
    file.write_bytes(raw[:position] + bad + raw[position + cut :])
    read_or_refuse(file)


def test_a_number_too_long_to_read_is_no_reason_to_refuse_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(WHOLE.replace('"isPinned": false', f'"isPinned": {"9" * 10_000}'), encoding="utf-8")
    assert ExportFile.open(file).records == 2
