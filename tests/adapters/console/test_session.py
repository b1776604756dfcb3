"""The simulated guild behaves as Discord does: time, ids, replies, edits, rooms, direct messages."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.app import Keepsake
from bot.core.domain import Channel, Guild, Member, Message, MessageKind
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.memory.policy.permissions import scope_of
from tests.adapters.console.sessions import play, play_on

_EVENING = "[2026-03-02T18:00] "


async def _said_by(keepsake: Keepsake, name: str) -> list[Message]:
    """Return all that a member of the one guild has said in open channels, oldest first."""
    (guild,) = await keepsake.directory.guilds_named("Keepsake")
    member = next(m for m in await keepsake.directory.members(guild.guild_id) if m.user_name == name)
    _, said = await keepsake.library.said_before(
        user_id=member.user_id,
        view=scope_of(guild_id=guild.guild_id, channel_audience=0),
        before_message_id=2**63 - 1,
        limit=100,
    )
    return said


@pytest.mark.smoke
async def test_messages_are_numbered_and_the_answers_go_with_them(address: str) -> None:
    told = await play(address, """
        #general alice: good morning
        #general alice: Bot, remember that I like pizza
    """)  # fmt: skip
    assert [(one.number, one.route, one.reply is None) for one in told] == [
        (1, "none", True),
        (2, "remember", False),
    ]
    assert "pizza" in (told[1].reply or "")


async def test_a_line_without_a_time_is_said_one_second_after_the_line_before(
    address: str, keepsake: Keepsake
) -> None:
    await play(address, """
        [2026-03-02T18:00] #general alice: one
        #general alice: two
        /at 2026-03-02T19:00
        #general alice: three
    """)  # fmt: skip
    times = [message.timestamp for message in await _said_by(keepsake, "alice")]
    assert times == [
        datetime(2026, 3, 2, 18, 0, 0, tzinfo=UTC),
        datetime(2026, 3, 2, 18, 0, 1, tzinfo=UTC),
        datetime(2026, 3, 2, 19, 0, 1, tzinfo=UTC),
    ]


async def test_a_time_without_an_offset_is_a_time_of_the_guild(address: str, keepsake: Keepsake) -> None:
    await keepsake.directory.add_guild(Guild(guild_id=7, name="Keepsake", time_zone="Asia/Tokyo"))
    await play(
        address, "[2026-03-02T18:00] #general alice: one\n[2026-03-02T18:00+01:00] #general alice: two"
    )
    hours = [message.timestamp.hour for message in await _said_by(keepsake, "alice")]
    assert hours == [9, 17]


async def test_a_first_line_without_a_time_comes_after_everything_that_is_stored(
    address: str, keepsake: Keepsake
) -> None:
    await play(address, "[2080-01-01T00:00] #general alice: from the future\n@alice: and a private word")
    await play(address, "#general alice: later\n@alice: later still")
    before, after = await _said_by(keepsake, "alice")
    assert (after.timestamp - before.timestamp).total_seconds() == 1
    assert before.timestamp.year == 2080


@pytest.mark.parametrize("line", ["[2026-03-02T17:59] #general alice: b", "/at 2026-03-02T17:59"])
async def test_time_never_goes_back(address: str, line: str) -> None:
    with pytest.raises(InvalidInputError, match="goes back in time"):
        await play(address, f"{_EVENING}#general alice: a\n{line}")


async def test_the_same_moments_played_twice_are_messages_of_their_own(
    address: str, keepsake: Keepsake
) -> None:
    for _ in range(2):
        await play(
            address, f"{_EVENING}#general alice: hello\n{_EVENING}#general alice: hello\n@alice: hello"
        )
    said = await _said_by(keepsake, "alice")
    assert len({message.message_id for message in said}) == 4


async def test_a_reply_to_the_answer_corrects_it_even_hours_later(address: str) -> None:
    told = await play(address, f"""
        {_EVENING}#general alice: Bot, remember movie night is on Thursday
        [2026-03-02T22:00] #general alice > 1!: Bot, no, I said Friday
        #general alice: Bot, when is movie night?
        #general bob: Bot, what do you know about the server?
    """)  # fmt: skip
    assert told[1].route == "correct"
    assert "2026-03-06" in (told[1].reply or "")


async def test_only_what_the_bot_answered_has_an_answer_to_reply_to(address: str) -> None:
    with pytest.raises(InvalidInputError, match="did not answer message 1"):
        await play(address, "#general alice: hello\n#general bob > 1!: yes")
    with pytest.raises(InvalidInputError, match="no message 2: 1 have been said"):
        await play(address, "#general alice: hello\n#general bob > 2: yes")
    with pytest.raises(InvalidInputError, match="said in #general"):
        await play(address, "#general alice: hello\n#random bob > 1: yes")


async def test_what_is_said_in_a_closed_channel_is_not_told_in_an_open_one(address: str) -> None:
    await play(address, "/channel mods closed\n#mods bob: Bot, remember that Florent is on his last warning")
    told = await play(address, """
        #mods bob: Bot, what do you know about Florent?
        #general bob: Bot, what do you know about Florent?
        @bob: what do you know about Florent?
    """)  # fmt: skip
    assert ["last warning" in (one.reply or "") for one in told] == [True, False, False]


async def test_what_is_said_in_a_direct_message_stays_there_and_what_is_open_is_known_there(
    address: str,
) -> None:
    told = await play(address, """
        #general bob: Bot, remember that I like pizza
        @bob: remember that I am planning a surprise party
        @bob: what do you know about me?
        #general bob: Bot, what do you know about me?
    """)  # fmt: skip
    private, public = told[2].reply or "", told[3].reply or ""
    assert "surprise" in private
    assert "pizza" in private
    assert "surprise" not in public
    assert "pizza" in public


async def test_members_named_with_an_at_are_stored_by_id_and_shown_by_name(
    address: str, keepsake: Keepsake
) -> None:
    told = await play(address, """
        /member gruzilkin
        #general bob: we should ask @gruzilkin
        #general bob: Bot, remember that @gruzilkin is Sergey
    """)  # fmt: skip
    asked = (await _said_by(keepsake, "bob"))[0]
    assert re.fullmatch(r"we should ask <@\d+>", asked.text)
    assert told[0].said.text == "we should ask @gruzilkin"
    assert "gruzilkin is Sergey" in (told[1].reply or "")


async def test_the_last_edit_holds_also_when_it_is_shorter_and_a_deleted_message_is_gone(
    address: str, keepsake: Keepsake
) -> None:
    await play(address, """
        #general alice: first words
        #general alice: something else
        /edit 1 a good deal longer than before    /edit 1 short    /delete 2
    """)  # fmt: skip
    assert [message.text for message in await _said_by(keepsake, "alice")] == ["short"]
    with pytest.raises(InvalidInputError, match="message 1 is deleted"):
        await play(address, "#general alice: words\n/delete 1\n/edit 1 other words")


async def test_another_bot_is_heard_and_never_answered(address: str, keepsake: Keepsake) -> None:
    told = await play(address, "/bot dice\n#general dice: Bot, what do you know about me?")
    assert (told[0].route, told[0].reply) == ("none", None)
    (message,) = await _said_by(keepsake, "dice")
    assert message.kind is MessageKind.BOT


async def test_nobody_can_speak_for_the_bot(address: str) -> None:
    for line in ("#general bot: hello", "/member Keepsake", "/bot Bot", "@Бот: hello"):
        with pytest.raises(InvalidInputError, match="is the bot itself"):
            await play(address, line)


async def test_a_file_goes_with_the_next_message_by_its_name_alone(
    address: str, keepsake: Keepsake, tmp_path: Path
) -> None:
    for name in ("cat.png", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    await play(address, f"""
        /attach {tmp_path}/cat.png    /attach {tmp_path}/notes.txt
        #general alice:
        #general alice: no more files
    """)  # fmt: skip
    with_files, without = await _said_by(keepsake, "alice")
    assert with_files.attachments == ("[image: cat.png]", "[file: notes.txt]")
    assert without.attachments == ()


async def test_an_attached_file_need_not_be_there(address: str, keepsake: Keepsake) -> None:
    await play(address, "/attach FILE\n#general alice: look")
    assert [message.attachments for message in await _said_by(keepsake, "alice")] == [("[file: FILE]",)]


async def test_an_empty_message_is_refused(address: str) -> None:
    with pytest.raises(InvalidInputError, match="empty"):
        await play(address, "#general alice:")


async def test_a_restart_keeps_what_is_stored_and_the_numbers_of_the_messages(address: str) -> None:
    told = await play(address, f"""
        {_EVENING}#general alice: Bot, remember movie night is on Thursday
        /restart
        [2026-03-02T22:00] #general alice > 1!: Bot, no, I said Friday
    """)  # fmt: skip
    assert (told[1].number, told[1].route) == (2, "correct")
    assert "Corrected" in (told[1].reply or "")


async def test_an_imported_guild_keeps_its_members_and_channels(address: str, keepsake: Keepsake) -> None:
    await keepsake.directory.add_guild(Guild(guild_id=7, name="Ubuntu help"))
    await keepsake.directory.put_channel(Channel(guild_id=7, channel_id=70, name="ubuntu"))
    await keepsake.directory.put_members(
        [
            Member(guild_id=7, user_id=71, user_name="pawan"),
            Member(guild_id=7, user_id=72, user_name="Pawan_", nickname="pawan"),
            Member(guild_id=7, user_id=73, user_name="x1", nickname="Max"),
            Member(guild_id=7, user_id=74, user_name="x2", nickname="Max"),
        ]
    )
    await play(address, "#Ubuntu PAWAN: hello", guild_name="ubuntu HELP")
    _, said = await keepsake.library.said_before(
        user_id=71, view=scope_of(guild_id=7, channel_audience=0), before_message_id=2**63 - 1, limit=9
    )
    assert [(message.channel_id, message.text) for message in said] == [(70, "hello")]
    with pytest.raises(InvalidInputError, match="2 members are called 'max': write a user name, of x1, x2"):
        await play(address, "#ubuntu max: hello", guild_name="Ubuntu help")


async def test_a_guild_of_an_ambiguous_name_is_named_by_its_id(address: str, keepsake: Keepsake) -> None:
    for guild_id in (7, 8):
        await keepsake.directory.add_guild(Guild(guild_id=guild_id, name="Twins"))
    with pytest.raises(InvalidInputError, match="2 guilds are called 'twins': name one by its id, of 7, 8"):
        await play(address, "#general alice: hello", guild_name="twins")
    await play(address, "#general alice: hello", guild_name="8")
    assert await keepsake.library.newest_time(7) is None
    assert await keepsake.library.newest_time(8) is not None


async def test_a_step_that_cannot_be_done_leaves_the_session_as_it_was(address: str) -> None:
    async with open_session(Settings(_env_file=None, database_url=SecretStr(address))) as session:
        await play_on(session, f"{_EVENING}#general alice: Bot, remember that I like pizza")
        with pytest.raises(InvalidInputError):
            await play_on(session, "[2026-03-05T18:00] #general alice > 9: lost")
        (told,) = await play_on(session, "[2026-03-02T18:05] #general alice > 1!: scratch that")
    assert (told.number, told.route) == (2, "correct")
