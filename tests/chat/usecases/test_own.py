"""What members decide by form about what is kept of them, visitors too, and what then waits for a manager."""

import io
import json
import zipfile
from dataclasses import replace

import pytest

from bot.chat.incoming import PrivateFile
from bot.chat.own_rights import EVERYWHERE, packed
from bot.chat.usecases.context import RequestContext
from bot.core.domain import Guild
from bot.memory.policy.consent import MemberConsent
from bot.text.commands import ChooseCategory
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild, member
from tests.chat.usecases.visits import desk_of, manager, remember, shown, visit

ALICE = NAMES["alice"]
OTHER_GUILD = 1_500
DIRECT = 9_000 + ALICE


async def directly(guild: TalkingGuild) -> RequestContext:
    """Return a request of alice in a direct message; she and the bot meet on two servers."""
    await guild.keepsake.directory.add_guild(Guild(guild_id=OTHER_GUILD, name="Elsewhere"))
    await guild.keepsake.directory.put_members([member("alice", OTHER_GUILD)])
    await guild.keepsake.directory.add_guild(Guild(guild_id=DIRECT, name="", direct=True))
    await guild.keepsake.directory.put_members([member("alice", DIRECT)])
    return replace(visit(guild, "alice"), guild_id=DIRECT, channel_id=DIRECT, direct=True)


async def standing(guild: TalkingGuild, guild_id: int = GUILD_ID) -> MemberConsent:
    return await guild.keepsake.memory.consent.of(guild_id=guild_id, user_id=ALICE)


async def test_off_offers_to_erase_and_on_undoes_it(guild: TalkingGuild) -> None:
    own, alice = desk_of(guild), visit(guild, "alice")
    off = await own.off(alice)
    assert off.text.startswith("Done: from now on nothing that you say on this server")
    assert off.text.endswith("You can have it erased too.")
    assert off.erasable_in == (GUILD_ID,)
    assert (await own.off(visit(guild, "alice"))).text.startswith(
        "Nothing of you is kept on this server already"
    )
    refused = await desk_of(guild).remember(visit(guild, "alice"), None, "I like tea")
    assert refused.text.startswith("I keep nothing about you")
    by_bob = await desk_of(guild).remember(visit(guild, "bob", russian=True), ALICE, "любит чай")
    assert by_bob.text == "alice: об этом участнике ничего не сохраняется, так что ничего не записано."
    on = await own.on(visit(guild, "alice", russian=True))
    assert on.text.startswith("Готово: на этом сервере сказанное вами снова сохраняется.")
    assert (await own.on(visit(guild, "alice"))).text.startswith(
        "You are remembered on this server as everybody"
    )
    assert (await desk_of(guild).remember(visit(guild, "alice"), None, "I like tea")).undo_ids


async def test_a_visitor_has_the_same_rights(guild: TalkingGuild) -> None:
    own, alice = desk_of(guild), replace(visit(guild, "alice"), visitor=True)
    await guild.say("alice", "hello there", visitor=True)
    assert (await own.off(alice)).text.startswith("Done")
    assert (await own.export(alice)).file is not None
    assert (await own.erase(alice)).text.startswith("Erased on this server: ")
    assert (await standing(guild)).opted_out


async def test_being_private_is_switched_on_and_off(guild: TalkingGuild) -> None:
    own = desk_of(guild)
    await remember(guild, "alice", "I like pizza")
    assert (await own.be_private(visit(guild, "alice"), private=True)).text.startswith(
        "Done: on this server I tell"
    )
    assert await shown(guild, "alice") == []
    assert await shown(guild, "alice", asker="alice") == ["alice likes pizza"]
    await own.be_private(visit(guild, "alice"), private=False)
    assert await shown(guild, "alice") == ["alice likes pizza"]


async def test_kinds_are_chosen_with_days_and_a_wrong_choice_changes_nothing(guild: TalkingGuild) -> None:
    own, alice = desk_of(guild), visit(guild, "alice")
    chosen = await own.categories(
        alice, [ChooseCategory("feeling", kept=False), ChooseCategory("event", kept=True, days=30)]
    )
    assert len(chosen.text.splitlines()) == 2
    listed = (await own.categories(visit(guild, "alice", russian=True))).text
    assert "- чувства: не сохраняется" in listed
    assert "- события: сохраняется 30 дней" in listed
    assert "- факты: сохраняется" in listed
    for wrong, says in (
        (ChooseCategory("secrets", kept=True), "There is no kind of memory “secrets”"),
        (ChooseCategory("event", kept=True, days=0), "0 days cannot be used"),
        (ChooseCategory("event", kept=True, days=99_999), "99999 days cannot be used"),
    ):
        answer = await own.categories(alice, [ChooseCategory("event", kept=False), wrong])
        assert answer.text.startswith(says)
        assert answer.text.endswith("Nothing was changed.")
    assert (await standing(guild)).kept_categories["event"].kept


async def test_a_file_holds_what_the_visitor_can_read_and_nothing_else(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like pizza")
    await remember(guild, "bob", "alice is a canary", channel_id=MODS)
    own = desk_of(guild)
    here = await own.export(visit(guild, "alice"))
    there = await own.export(visit(guild, "alice", channel_id=MODS))
    assert here.file is not None
    assert there.file is not None
    assert here.file.name == "memory-2026-03-01.json"
    assert "pizza" in here.file.content.decode()
    assert ["canary" in file.content.decode() for file in (here.file, there.file)] == [False, True]
    too_large = await own.export(replace(visit(guild, "alice"), most_bytes=10))
    assert too_large.file is None
    assert "keepsake export" in too_large.text


def test_a_large_file_is_packed() -> None:
    long = PrivateFile("memory-1.json", json.dumps({"messages": ["hello"] * 10_000}).encode())
    archive = packed([long], "memory", most_bytes=20_000)
    assert archive.name == "memory.zip"
    assert len(archive.content) < 20_000
    with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
        assert opened.read("memory-1.json") == long.content
    assert packed([long], "memory", most_bytes=1_000_000) == PrivateFile("memory.json", long.content)


async def test_erasing_says_what_would_go_first_and_then_what_went(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like pizza")
    await guild.say("alice", "hello there")
    own = desk_of(guild)
    asked = await own.erasable(visit(guild, "alice"))
    assert asked.erasable_in == (GUILD_ID,)
    assert asked.text.startswith("This erases 1 message of yours, 1 fact about you")
    assert "on this server, for good" in asked.text
    assert await shown(guild, "alice") == ["alice likes pizza"]
    erased = await own.erase(replace(visit(guild, "alice"), within=asked.erasable_in), opt_out=True)
    assert erased.text.startswith("Erased on this server: 1 message of yours, 1 fact about you")
    assert erased.text.endswith("From now on nothing of you is kept either.")
    assert (await standing(guild)).opted_out
    nothing = await own.erasable(visit(guild, "alice", russian=True))
    assert nothing.erasable_in == ()
    assert nothing.text.startswith("О вас ничего не хранится")


async def test_in_a_direct_message_one_of_several_servers_is_chosen(guild: TalkingGuild) -> None:
    own, alice = desk_of(guild), await directly(guild)
    asked = await own.off(alice)
    assert [(one.guild_id, one.label) for one in asked.places] == [
        (GUILD_ID, "Test"),
        (OTHER_GUILD, "Elsewhere"),
        (EVERYWHERE, "everywhere, here too"),
    ]
    assert not (await standing(guild)).opted_out
    chosen = await own.off(replace(alice, within=(OTHER_GUILD,)))
    assert chosen.places == ()
    assert [(await standing(guild, one)).opted_out for one in (GUILD_ID, OTHER_GUILD)] == [False, True]
    await own.on(replace(alice, within=(EVERYWHERE,)))
    everywhere = await own.export(replace(alice, within=(EVERYWHERE,)))
    assert everywhere.file is not None
    with zipfile.ZipFile(io.BytesIO(everywhere.file.content)) as archive:
        assert len(archive.namelist()) == 3


async def test_nobody_reaches_a_server_that_is_not_shared(guild: TalkingGuild) -> None:
    await guild.keepsake.directory.add_guild(Guild(guild_id=7, name="Foreign"))
    alice = await directly(guild)
    own = desk_of(guild)
    assert (await own.off(replace(alice, within=(7,)))).places
    assert not (await standing(guild, 7)).opted_out
    await own.off(replace(visit(guild, "alice"), within=(7,)))
    assert [(await standing(guild, one)).opted_out for one in (GUILD_ID, 7)] == [True, False]


@pytest.mark.parametrize("erase", [True, False])
async def test_notes_in_closed_rooms_wait_for_a_manager(guild: TalkingGuild, erase: bool) -> None:
    await remember(guild, "bob", "alice is a canary", channel_id=MODS)
    await remember(guild, "bob", "alice likes tea")
    own = desk_of(guild)
    nobody = await own.waiting(manager(guild))
    assert (nobody.title, nobody.lines) == ("No notes about erased members are waiting.", ())
    erased = await own.erase(visit(guild, "alice"))
    assert "1 fact about you" in erased.text
    refused = await own.waiting(visit(guild, "bob"))
    assert refused.lines == ()
    assert refused.title.startswith("Only those who may manage this server")
    assert (await own.settle(visit(guild, "bob"), ALICE, erase=True)).text == refused.title
    (line,) = (await own.waiting(manager(guild))).lines
    assert int(line.key) == ALICE
    assert line.text == f"1 fact about <@{ALICE}>, in <#{MODS}>"
    settled = await own.settle(manager(guild), ALICE, erase=erase)
    assert settled.text.startswith("Erased: 1 fact" if erase else "Kept: 1 fact")
    assert (await own.waiting(manager(guild))).lines == ()
    assert (await own.settle(manager(guild), ALICE, erase=True)).text.startswith("That is decided already")
    left = await shown(guild, "alice", channel_id=MODS)
    assert len(left) == (0 if erase else 1)
