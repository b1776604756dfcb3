"""What a record of an export says: whose message, in which words, carrying what; or that it is broken."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.adapters.archive.importing import ExportFile
from bot.adapters.archive.records import ArchivedMessage, BrokenRecord
from bot.core.domain import MAX_ID, OPEN, ForwardOrigin, Message, MessageKind
from tests.adapters.archive.exports import ALICE, BOB, CHANNEL_ID, GUILD_ID, ROBOT, document, record, write


def read(folder: Path, *records: object) -> list[ArchivedMessage | BrokenRecord]:
    return list(ExportFile.open(write(folder, document(records))).messages(audience=OPEN))


def read_one(folder: Path, content: object = "hello", **fields: object) -> Message:
    (heard,) = read(folder, record(1, content, **fields))
    assert isinstance(heard, ArchivedMessage)
    return heard.message


def test_a_message_is_read_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    answer = record(
        2,
        "no, Tuesday",
        type="Reply",
        author=BOB,
        timestamp="2024-05-01T12:00:00.1234567+02:00",
        timestampEdited="2024-05-01T12:05:00+02:00",
        reference={"messageId": "77", "channelId": str(CHANNEL_ID), "guildId": str(GUILD_ID)},
    )
    (heard,) = read(tmp_path, answer)
    assert isinstance(heard, ArchivedMessage)
    message, (author,) = heard.message, heard.members
    assert (message.guild_id, message.channel_id, message.user_id) == (GUILD_ID, CHANNEL_ID, 12)
    assert message.message_id == int(str(answer["id"]))
    assert message.text == "no, Tuesday"
    assert message.timestamp == datetime(2024, 5, 1, 10, 0, 0, 123456, tzinfo=UTC)
    assert message.edited_at == datetime(2024, 5, 1, 10, 5, tzinfo=UTC)
    assert message.reply_to_id == 77
    assert message.kind is MessageKind.MEMBER
    assert (author.user_id, author.user_name, author.name, author.is_bot) == (12, "bob_the_2nd", "Bob", False)


@pytest.mark.parametrize(
    ("kind", "author", "expected"),
    [
        ("Default", ALICE, MessageKind.MEMBER),
        ("Reply", ALICE, MessageKind.MEMBER),
        ("Default", ROBOT, MessageKind.BOT),
        ("Default", {**ROBOT, "discriminator": "0000"}, MessageKind.BOT),
        ("20", ROBOT, MessageKind.BOT),
        ("RecipientAdd", ALICE, MessageKind.SYSTEM),
        ("GuildMemberJoin", ALICE, MessageKind.SYSTEM),
        ("ChannelPinnedMessage", ALICE, MessageKind.SYSTEM),
        ("ThreadCreated", ALICE, MessageKind.SYSTEM),
        ("8", ALICE, MessageKind.SYSTEM),
        ("ATypeOfTheFuture", ALICE, MessageKind.SYSTEM),
        (None, ALICE, MessageKind.MEMBER),
    ],
)
def test_only_what_members_wrote_counts_as_theirs(
    tmp_path: Path, kind: str | None, author: object, expected: MessageKind
) -> None:
    assert read_one(tmp_path, type=kind, author=author).kind is expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"attachments": [{"id": "1", "fileName": "cat.PNG", "url": "https://x/y"}]}, ("[image: cat.PNG]",)),
        (
            {"attachments": [{"fileName": "x.pdf"}, {"fileName": "a.b.mp4"}]},
            ("[file: x.pdf]", "[video: a.b.mp4]"),
        ),
        ({"attachments": [{"fileName": "voice-message.ogg"}]}, ("[audio: voice-message.ogg]",)),
        ({"attachments": [{"url": "https://x/y.png"}]}, ("[file]",)),
        ({"stickers": [{"id": "1", "name": "wave", "format": "Lottie"}]}, ("[sticker: wave]",)),
        (
            {"embeds": [{"title": "Ramen", "description": "a\n\nsoup", "url": "https://x"}]},
            ("[embed: Ramen: a soup]",),
        ),
        ({"embeds": [{"title": "", "description": "only this"}]}, ("[embed: only this]",)),
        ({"embeds": [{"title": "", "description": "", "image": {"url": "https://x"}}]}, ()),
        ({"embeds": [{"title": "t", "description": "d" * 5000}]}, ("[embed: t: " + "d" * 296 + "…]",)),
        (
            {
                "forwardedMessage": {
                    "content": "I hate cats",
                    "attachments": [{"fileName": "a.jpg"}],
                    "stickers": [{"name": "s"}],
                }
            },
            ("[forwarded: I hate cats]", "[image: a.jpg]", "[sticker: s]"),
        ),
        (
            {"poll": {"question": {"text": "When?"}, "answers": [{"text": "Mon"}, {"text": "Tue"}]}},
            ("[poll: When? Mon / Tue]",),
        ),
    ],
)
def test_what_a_message_carries_is_told_in_short_words_without_addresses(
    tmp_path: Path, fields: dict[str, object], expected: tuple[str, ...]
) -> None:
    message = read_one(tmp_path, "", **fields)
    assert message.attachments == expected
    assert message.text == ""


def test_forwarded_words_are_not_the_words_of_who_forwards_them(tmp_path: Path) -> None:
    message = read_one(
        tmp_path,
        "look",
        reference={"type": "Forward", "messageId": "77", "channelId": "5"},
        forwardedMessage={"content": "I hate cats", "attachments": [], "embeds": [], "stickers": []},
    )
    assert message.text == "look"
    assert message.reply_to_id is None
    assert message.forwarded == ForwardOrigin(guild_id=GUILD_ID, message_id=77)


def test_a_message_of_nothing_is_kept(tmp_path: Path) -> None:
    message = read_one(tmp_path, "")
    assert (message.text, message.attachments) == ("", ())


@pytest.mark.parametrize(
    ("content", "mentions", "expected"),
    [
        ("@Bob are you there?", [BOB], "<@12> are you there?"),
        ("@Bob@Alice!", [BOB, ALICE], "<@12><@11>!"),
        ("ask @bob_the_2nd", [BOB], "ask <@12>"),
        ("<@12> and <@!11> stay", [BOB, ALICE], "<@12> and <@11> stay"),
        ("@Bobby is somebody else, @Bob", [BOB], "@Bobby is somebody else, <@12>"),
        ("mail me at alice@Bob.io", [BOB], "mail me at alice@Bob.io"),
        ("@Bob Ross", [BOB, {"id": "14", "name": "ross", "nickname": "Bob Ross"}], "<@14>"),
        ("@Bob", [BOB, {"id": "14", "name": "other", "nickname": "Bob"}], "@Bob"),
        ("@Bob", [BOB, {"id": "14", "name": "Bob", "nickname": "Robert"}], "<@12>"),
        (
            r"@\o/ @(a|b)* hi",
            [{"id": "14", "name": r"\o/"}, {"id": "15", "name": "(a|b)*"}],
            "<@14> <@15> hi",
        ),
        ("@Bob", [], "@Bob"),
        ("@everyone", [{"id": "14", "name": "x", "nickname": "everyone"}], "@everyone"),
        ("@Маша привет", [{"id": "14", "name": "masha", "nickname": "Маша"}], "<@14> привет"),
    ],
)
def test_mentions_become_ids(tmp_path: Path, content: str, mentions: list[object], expected: str) -> None:
    assert read_one(tmp_path, content, mentions=mentions).text == expected


def test_a_name_made_to_be_slow_is_not(tmp_path: Path) -> None:
    mentions = [{"id": "14", "name": "a"}, {"id": "15", "name": "a@a"}]
    assert read_one(tmp_path, "@a" * 5000 + "x", mentions=mentions).text == "@a" * 5000 + "x"


def test_who_is_mentioned_is_known_by_name(tmp_path: Path) -> None:
    (heard,) = read(tmp_path, record(1, "@Bob", mentions=[BOB]))
    assert isinstance(heard, ArchivedMessage)
    assert [member.name for member in heard.members] == ["Alice", "Bob"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"id": None}, "record 2 (no id)"),
        ({"id": "abc"}, "record 2 (id 'abc' is no id)"),
        ({"id": "0"}, "record 2 (id '0' is no id)"),
        ({"id": "-5"}, "record 2 (id '-5' is no id)"),
        ({"id": str(MAX_ID + 1)}, f"record 2 (id '{MAX_ID + 1}' is no id)"),
        ({"id": "٣"}, "record 2 (id '\\u0663' is no id)"),
        ({"id": True}, "record 2 (id True is no id)"),
        ({"id": [1]}, "record 2 (id that is a list is no id)"),
        ({"timestamp": None}, "{id} (timestamp None is no time)"),
        ({"timestamp": "yesterday"}, "{id} (timestamp 'yesterday' is no time)"),
        (
            {"timestamp": "9999-12-31T23:59:59-10:00"},
            "{id} (timestamp '9999-12-31T23:59:59-10:00' is no time)",
        ),
        ({"author": None}, "{id} (no author with an id)"),
        ({"author": {"name": "nobody"}}, "{id} (no author with an id)"),
        ({"author": {"id": "1" * 30, "name": "x"}}, "{id} (no author with an id)"),
        ({"content": None}, "{id} (content None is no text)"),
        ({"content": {"text": "x"}}, "{id} (content that is an object is no text)"),
        ({"content": "x" * 100_001}, "{id} (content of 100001 characters is longer than any message)"),
    ],
)
def test_a_broken_record_is_named_and_its_neighbours_are_read(
    tmp_path: Path, fields: dict[str, object], reason: str
) -> None:
    broken = {**record(2), **fields}
    first, second, third = read(tmp_path, record(1), broken, record(3))
    assert isinstance(first, ArchivedMessage)
    assert isinstance(third, ArchivedMessage)
    assert str(second) == reason.format(id=broken["id"])


@pytest.mark.parametrize("junk", [None, 5, "text", [], [record(2)]])
def test_a_record_that_is_no_object_is_named_by_its_place(tmp_path: Path, junk: object) -> None:
    _, second = read(tmp_path, record(1), junk)
    assert str(second) == "record 2 (no message at all)"


def test_text_that_no_database_holds_is_cleaned(tmp_path: Path) -> None:
    author = {"id": "14", "name": "n\0a\ud800me", "nickname": "\udfff"}
    (heard,) = read(tmp_path, record(1, "a\0b\ud83dc 😀", author=author, stickers=[{"name": "\0x"}]))
    assert isinstance(heard, ArchivedMessage)
    assert heard.message.text == "abc 😀"
    assert heard.message.attachments == ("[sticker: x]",)
    assert (heard.members[0].user_name, heard.members[0].nickname) == ("name", "")
