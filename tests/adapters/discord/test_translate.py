"""Whatever Discord sends becomes a message that can be kept, with the right words in it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord.messages import member_of, message_of
from bot.core.domain import OPEN, ForwardOrigin, Member, MessageKind, moment_of
from tests.adapters.discord.payloads import CDN, Odd, posted, snapshot
from tests.adapters.discord.payloads_announced import ANNOUNCED
from tests.adapters.discord.payloads_bots import SPOKEN
from tests.adapters.discord.payloads_carried import CARRIED
from tests.adapters.discord.payloads_said import SAID
from tests.adapters.discord.sight import ALICE_ID, BOB_ID, BOT_ID, DIRECT_ID, GENERAL_ID, Sight, harbour, user
from tests.servers.discord.openapi import DESCRIPTION, check_object

ODD = [*SAID, *SPOKEN, *CARRIED, *ANNOUNCED]


@pytest.fixture
def sight() -> Sight:
    sight = Sight()
    sight.enter(harbour())
    return sight


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.name)
def test_a_message_of_an_odd_kind_is_kept_as_what_it_is(sight: Sight, odd: Odd) -> None:
    message = message_of(sight.hear(odd.payload), audience=OPEN)
    assert (message.kind, message.text, message.attachments) == (odd.kind, odd.text, odd.attachments)
    assert message.reply_to_id == odd.reply_to_id
    assert message.message_id == int(odd.payload["id"])
    assert message.channel_id == int(odd.payload["channel_id"])
    assert message.guild_id == int(odd.payload.get("guild_id") or odd.payload["channel_id"])
    assert message.user_id == int(odd.payload.get("author", {"id": "0"})["id"])
    assert message.timestamp == moment_of(message.message_id)


@pytest.mark.parametrize(("fields", "guild_id"), [({"guild_id": "5"}, 5), ({}, 9)])
def test_a_forward_names_what_it_forwards_also_of_another_guild_or_of_a_private_talk(
    sight: Sight, fields: dict[str, str], guild_id: int
) -> None:
    refers = {"type": 1, "message_id": "77", "channel_id": "9", **fields}
    payload = posted(
        flags=1 << 14, message_reference=refers, message_snapshots=[snapshot("the ferry is late")]
    )
    message = message_of(sight.hear(payload), audience=OPEN)
    assert message.forwarded == ForwardOrigin(guild_id=guild_id, message_id=77)
    reply = posted("late again", type=19, message_reference={**refers, "type": 0})
    assert message_of(sight.hear(reply), audience=OPEN).forwarded is None


@pytest.mark.skipif(not DESCRIPTION.exists(), reason=f"Discord's description is not at {DESCRIPTION}")
@pytest.mark.parametrize("odd", [odd for odd in ODD if odd.described], ids=lambda odd: odd.name)
def test_the_odd_kinds_are_those_that_discord_describes(odd: Odd) -> None:
    assert check_object("MessageResponse", odd.payload) == []


def test_no_two_rows_of_the_table_are_the_same_kind() -> None:
    assert len(ODD) >= 60
    assert len({odd.name for odd in ODD}) == len(ODD)


@pytest.mark.parametrize("odd", CARRIED, ids=lambda odd: odd.name)
def test_the_address_of_an_attachment_is_never_kept(sight: Sight, odd: Odd) -> None:
    message = message_of(sight.hear(odd.payload), audience=OPEN)
    assert not [kept for kept in message.attachments if CDN in kept or "discordapp" in kept]


def test_a_message_has_the_audience_that_it_was_heard_in(sight: Sight) -> None:
    heard = sight.hear(posted("hello"))
    assert message_of(heard, audience=GENERAL_ID).audience == GENERAL_ID


def test_an_edit_has_the_time_of_the_edit(sight: Sight) -> None:
    heard = sight.hear(posted("at 9", edited_timestamp="2026-11-20T12:05:00+02:00"))
    assert message_of(heard, audience=OPEN).edited_at == datetime(2026, 11, 20, 10, 5, tzinfo=UTC)
    assert message_of(sight.hear(posted("at 8")), audience=OPEN).edited_at is None


def test_a_direct_message_is_a_guild_of_its_own(sight: Sight) -> None:
    heard = sight.hear(posted("hi", channel_id=str(DIRECT_ID), without=("guild_id", "member")))
    message = message_of(heard, audience=OPEN)
    assert (message.guild_id, message.channel_id) == (DIRECT_ID, DIRECT_ID)
    assert message.kind is MessageKind.MEMBER


@given(content=st.text(max_size=300), filename=st.text(min_size=1, max_size=300), kind=st.integers(0, 70))
def test_any_text_becomes_one_that_a_database_can_hold(content: str, filename: str, kind: int) -> None:
    sight = Sight()
    sight.enter(harbour())
    attachment = {"id": "1", "filename": filename, "size": 1, "url": CDN, "proxy_url": CDN}
    message = message_of(sight.hear(posted(content, type=kind, attachments=[attachment])), audience=OPEN)
    for kept in (message.text, *message.attachments):
        assert "\0" not in kept
        assert kept.encode("utf-8").decode("utf-8") == kept
    assert all("\n" not in kept and len(kept) < 350 for kept in message.attachments)


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        (
            {"without": ("member",)},
            Member(guild_id=7, user_id=ALICE_ID, user_name="alice", display_name="Alice", nickname="Ali"),
        ),
        ({"author": user(BOB_ID, "bob")}, Member(guild_id=7, user_id=BOB_ID, user_name="bob")),
        (
            {"author": user(BOT_ID, "keepsake", bot=True)},
            Member(guild_id=7, user_id=BOT_ID, user_name="keepsake", is_bot=True),
        ),
        (
            {"author": user(805, "e\0ve", global_name="Eve"), "without": ("member",)},
            Member(guild_id=7, user_id=805, user_name="eve", display_name="Eve"),
        ),
    ],
)
def test_a_member_is_known_by_all_names_that_discord_tells(
    sight: Sight, fields: dict[str, Any], known: Member
) -> None:
    assert member_of(sight.hear(posted("hi", **fields)).author, guild_id=7) == known
