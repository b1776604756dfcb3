"""Facts about a member and about a server: shown with their life, forgotten for good."""

from dataclasses import replace

import httpx

from bot.chat.rights_texts import removal_line
from bot.core.domain import GUILD_SUBJECT, FactStatus, Language, Member
from bot.memory.outbox.removal_log import Removal
from tests.adapters.web.homes import (
    ALICE,
    AT_HOME,
    BOB,
    CLOSED,
    DIRECT,
    GENERAL,
    GUILD,
    OF_ALICE,
    OF_GENERAL,
    PRIVATE,
    Home,
    remember,
    reveal,
    said,
)
from tests.memory.rights.erasing.lived import columns_with, note
from tests.memory.summaries.episodes.kept import keep


async def contents(client: httpx.AsyncClient, path: str) -> list[str]:
    return [one["content"] for one in (await client.get(f"{path}/facts")).json()["facts"]]


async def test_a_fact_is_shown_with_its_life_and_where_it_comes_from(
    served: Home, ids: dict[str, int]
) -> None:
    async with await served.operator() as client:
        page = (await client.get(f"{OF_ALICE}/facts")).json()
    assert (page["hidden"], page["nextCursor"]) == (1, None)
    (fact,) = page["facts"]
    message = said("", 1)
    (source,) = fact.pop("sources")
    assert source == {
        "authorId": str(ALICE),
        "channelId": str(message.channel_id),
        "messageId": str(message.message_id),
        "saidAt": "2026-03-01T08:01:00Z",
        "origin": "command",
        "said": "I like oolong",
        "counts": True,
    }
    assert fact | {"updatedAt": ""} == {
        "id": str(ids["tea"]),
        "kind": "preference",
        "content": f"<@{ALICE}> likes oolong",
        "status": "active",
        "confidence": 1.0,
        "importance": fact["importance"],
        "origin": "command",
        "tentative": False,
        "closed": False,
        "saidAt": "2026-03-01T08:01:00Z",
        "updatedAt": "",
        "holdsOn": None,
        "expiresAt": None,
        "supersedes": None,
        "supersededBy": None,
    }


async def test_what_was_replaced_is_shown_beside_what_replaced_it(served: Home, ids: dict[str, int]) -> None:
    older = await remember(
        served, said("Bot, remember that I live in Rome", 5), "I live in Rome", subject_id=ALICE
    )
    newer = await remember(
        served, said("Bot, remember that I live in Oslo", 6), "I live in Oslo", subject_id=ALICE
    )
    async with await served.operator() as client:
        facts = {one["id"]: one for one in (await client.get(f"{OF_ALICE}/facts")).json()["facts"]}
    assert (facts[str(older)]["status"], facts[str(older)]["supersededBy"]) == ("superseded", str(newer))
    assert (facts[str(newer)]["status"], facts[str(newer)]["supersedes"]) == ("active", str(older))


async def test_pages_of_facts_hold_each_once(served: Home, ids: dict[str, int]) -> None:
    for number, thing in enumerate(("skis", "snow", "soup"), start=10):
        await remember(
            served, said(f"Bot, remember that I like {thing}", number), f"I like {thing}", subject_id=ALICE
        )
    async with await served.operator() as client:
        first = (await client.get(f"{OF_ALICE}/facts", params={"limit": "3"})).json()
        second = (
            await client.get(f"{OF_ALICE}/facts", params={"limit": "3", "cursor": first["nextCursor"]})
        ).json()
    found = [one["id"] for page in (first, second) for one in page["facts"]]
    assert (len(found), len(set(found)), second["nextCursor"]) == (4, 4, None)


async def test_a_deleted_fact_is_forgotten_and_never_returns(served: Home, ids: dict[str, int]) -> None:
    memory = served.keepsake.memory
    await served.keepsake.work.idle()
    async with await served.operator() as client:
        assert "oolong" in (await client.get(f"{AT_HOME}/search", params={"q": "oolong"})).text
        before = await served.keepsake.directory.guild(GUILD)
        gone = await client.delete(f"{OF_ALICE}/facts/{ids['tea']}")
        assert gone.json() == {"success": True, "deletedCount": 1}

        assert await contents(client, OF_ALICE) == []
        assert "oolong" not in (await client.get(f"{AT_HOME}/search", params={"q": "oolong"})).text
        assert "oolong" not in (await client.get(f"{OF_GENERAL}/export")).text
        assert "oolong" not in (await client.get(f"{OF_ALICE}/export")).text
        assert (await client.delete(f"{OF_ALICE}/facts/{ids['tea']}")).status_code == 404
    # Neither the next prompt nor any column holds it, and it is not learned again from what said it.
    assert "oolong" not in (await memory.get_memories(GUILD, ALICE) or "")
    assert await columns_with(served.database, "oolong") == []
    guild = await served.keepsake.directory.guild(GUILD)
    assert before is not None
    assert guild is not None
    assert guild.memory_epoch > before.memory_epoch, "texts that were told before are served no more"
    await memory.ingest_message(said("Bot, remember that I like oolong", 1))
    await memory.extractor.noticed(guild_id=GUILD, up_to_id=said("", 1).message_id)
    (fact,) = await memory.facts_with_ids(guild_id=GUILD, fact_ids=[ids["tea"]])
    assert (fact.status, fact.content) == (FactStatus.FORGOTTEN, "")
    stones = await served.database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM tombstones")
    )
    assert stones >= 1


async def test_a_closed_fact_is_deleted_unseen_and_so_is_what_said_it(
    served: Home, ids: dict[str, int]
) -> None:
    async with await served.operator() as client:
        assert (await client.delete(f"{OF_ALICE}/facts/{ids['plan']}")).json()["deletedCount"] == 1
    assert await columns_with(served.database, "plan a coup", "plans a coup") == []


async def test_a_fact_of_somebody_else_is_not_found(served: Home, ids: dict[str, int]) -> None:
    async with await served.operator() as client:
        assert (await client.delete(f"{OF_ALICE}/facts/{ids['hush']}")).status_code == 404
        assert (await client.delete(f"{OF_ALICE}/facts/{ids['whisper']}")).status_code == 404
        assert (await client.delete(f"{OF_ALICE}/facts/999")).status_code == 404
    for guild_id, name in ((GUILD, "hush"), (DIRECT, "whisper")):
        (fact,) = await served.keepsake.memory.facts_with_ids(guild_id=guild_id, fact_ids=[ids[name]])
        assert fact.status is FactStatus.ACTIVE


async def test_closed_facts_and_private_members_are_shown_once_they_are_revealed(
    served: Home, ids: dict[str, int]
) -> None:
    of_private, of_alice_alone = f"{AT_HOME}/members/{PRIVATE}", f"/api/v1/guilds/{DIRECT}/members/{ALICE}"
    async with await served.operator() as client:
        assert await contents(client, OF_ALICE) == [f"<@{ALICE}> likes oolong"]
        for path in (of_private, of_alice_alone):
            page = (await client.get(f"{path}/facts")).json()
            assert (page["facts"], page["hidden"]) == ([], 1)
        await reveal(client, guildId=GUILD, userId=ALICE)
        await reveal(client, guildId=GUILD, userId=PRIVATE)
        await reveal(client, guildId=DIRECT, channelId=DIRECT)
        assert await contents(client, OF_ALICE) == [f"<@{ALICE}> likes oolong", f"<@{ALICE}> plans a coup"]
        assert await contents(client, of_private) == [f"<@{PRIVATE}> owns a yacht"]
        assert await contents(client, of_alice_alone) == [f"<@{ALICE}> fears whales"]


async def test_what_names_a_private_member_is_shown_once_they_are_revealed(
    served: Home, ids: dict[str, int]
) -> None:
    named = said(f"Bot, remember that I adore <@{PRIVATE}>", 8)
    fact_id = await remember(served, named, f"I adore <@{PRIVATE}>", subject_id=ALICE)
    told = f"<@{PRIVATE}> sang. <@{ALICE}> danced flamenco."
    await keep(served.database, told, guild_id=GUILD, channel_id=GENERAL, number=8)
    await served.keepsake.work.idle()
    search = f"{AT_HOME}/search"
    async with await served.operator() as client:
        page = (await client.get(f"{OF_ALICE}/facts")).json()
        assert ([one["id"] for one in page["facts"]], page["hidden"]) == ([str(ids["tea"])], 2)
        (memory, *_) = (await client.get(f"{OF_GENERAL}/memories")).json()["memories"]
        assert memory["content"].strip() == f"<@{ALICE}> danced flamenco."
        hits = (await client.get(search, params={"q": "who danced flamenco?"})).json()["hits"]
        assert f"<@{ALICE}> danced flamenco." in {one["text"].strip() for one in hits}
        hits = (await client.get(search, params={"q": f"adore <@{PRIVATE}>"})).json()["hits"]
        assert str(fact_id) not in {one["id"] for one in hits if one["kind"] == "fact"}
        await reveal(client, guildId=GUILD, userId=PRIVATE)
        page = (await client.get(f"{OF_ALICE}/facts")).json()
        assert ([one["id"] for one in page["facts"]], page["hidden"]) == ([str(ids["tea"]), str(fact_id)], 1)
        assert told in (await client.get(f"{OF_GENERAL}/memories")).text


async def test_a_revealed_channel_shows_its_facts_about_members_and_no_other_channel_s(
    served: Home, ids: dict[str, int]
) -> None:
    other = CLOSED + 1
    await remember(
        served,
        said("Bot, remember that I hate fish", 7, channel_id=other, audience=other),
        "I hate fish",
        subject_id=ALICE,
    )
    async with await served.operator() as client:
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        page = (await client.get(f"{OF_ALICE}/facts")).json()
    assert [one["content"] for one in page["facts"]] == [
        f"<@{ALICE}> likes oolong",
        f"<@{ALICE}> plans a coup",
    ]
    assert page["hidden"] == 1


async def test_of_a_member_who_opted_out_nothing_is_told(served: Home, ids: dict[str, int]) -> None:
    await served.keepsake.memory.consent.opt_out(guild_id=GUILD, user_id=ALICE)
    async with await served.operator() as client:
        assert (await client.get(OF_ALICE)).json()["optedOut"] is True
        assert await contents(client, OF_ALICE) == []


async def test_what_is_known_of_the_server_itself_is_listed_with_its_life_and_forgotten(
    served: Home, ids: dict[str, int]
) -> None:
    told = []
    for minute, statement in ((5, "movie night is on Friday"), (6, "the server was founded in 2019")):
        message = said(f"Bot, remember that {statement}", minute, user_id=BOB)
        told.append(await remember(served, message, statement, subject_id=GUILD_SUBJECT))
    hushed = said(f"Bot, remember that <@{PRIVATE}> runs the server", 7)
    await remember(served, hushed, f"<@{PRIVATE}> runs the server", subject_id=GUILD_SUBJECT)
    # By a nickname a private member may be meant.
    await served.keepsake.directory.put_members(
        [Member(guild_id=GUILD, user_id=PRIVATE, user_name="pat", nickname="Patsy")]
    )
    meant = said("Bot, remember that Patsy sings", 10, user_id=BOB)
    await served.keepsake.memory.ingest_message(meant)
    await served.keepsake.memory.remember(
        replace(note(meant, "Patsy sings", subject_id=GUILD_SUBJECT), names=("Patsy",))
    )
    secret = said("Bot, remember that the vault is green", 8, channel_id=CLOSED, audience=CLOSED)
    await remember(served, secret, "the vault is green", subject_id=GUILD_SUBJECT)
    async with await served.operator() as client:
        page = (await client.get(f"{AT_HOME}/facts")).json()
        assert [(int(one["id"]), one["status"]) for one in page["facts"]] == [(one, "active") for one in told]
        assert page["hidden"] == 3
        hits = (await client.get(f"{AT_HOME}/search", params={"q": "who sings?"})).json()["hits"]
        assert "fact" not in {one["kind"] for one in hits}
        (source,) = page["facts"][0]["sources"]
        assert (source["authorId"], source["said"]) == (str(BOB), "movie night is on Friday")
        for wrong in (ids["tea"], 999):
            assert (await client.delete(f"{AT_HOME}/facts/{wrong}")).status_code == 404
        gone = await client.delete(f"{AT_HOME}/facts/{told[0]}")
        assert gone.json() == {"success": True, "deletedCount": 1}
        assert await contents(client, AT_HOME) == [page["facts"][1]["content"]]
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        assert "the vault is green" in await contents(client, AT_HOME)
        await reveal(client, guildId=GUILD, userId=PRIVATE)
        assert "Patsy sings" in await contents(client, AT_HOME)
    assert await columns_with(served.database, "movie night") == []


async def test_notes_that_wait_are_listed_and_their_texts_shown_where_the_channel_was_revealed(
    served: Home, ids: dict[str, int]
) -> None:
    told = said("Bot, remember that Alice owes me money", 9, user_id=BOB, channel_id=CLOSED, audience=CLOSED)
    fact_id = await remember(served, told, f"<@{ALICE}> owes me money", subject_id=ALICE)
    await served.keepsake.memory.erasing.erase_member(
        guild_id=GUILD, user_id=ALICE, audiences=(), opted_out=False
    )
    waiting = f"{AT_HOME}/waiting"
    async with await served.operator() as client:
        listed = (await client.get(waiting)).json()["waiting"]
        assert listed == [{"userId": str(ALICE), "facts": 1, "channelIds": [str(CLOSED)]}]
        hidden = (await client.get(f"{waiting}/{ALICE}")).json()
        assert (hidden["facts"], hidden["hidden"]) == ([], 1)
        assert (await client.get(f"{waiting}/{BOB}")).status_code == 404
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        shown = (await client.get(f"{waiting}/{ALICE}")).json()
        assert ([one["id"] for one in shown["facts"]], shown["hidden"]) == ([str(fact_id)], 0)
        page = (await client.get(f"/guilds/{GUILD}/waiting")).text
        assert f'href="/guilds/{GUILD}/waiting/{ALICE}"' in page
        shown_page = (await client.get(f"/guilds/{GUILD}/waiting/{ALICE}")).text
        assert "owes" in shown_page
        assert "<form" not in shown_page, "a manager decides"


async def test_what_an_operator_deletes_is_noted_where_managers_see_what_was_removed(
    served: Home, ids: dict[str, int]
) -> None:
    lines: list[str] = []

    class Channel:
        async def post(self, removal: Removal, *, channel_id: int) -> bool:
            lines.extend(f"{channel_id}: {removal_line(removal, language)}" for language in Language)
            return True

    await served.keepsake.memory.removal_log.attach(Channel())
    async with await served.operator() as client:
        await client.patch(f"{AT_HOME}/settings", json={"log_channel": str(GENERAL)})
        await client.delete(f"{OF_ALICE}/facts/{ids['tea']}")
    await served.keepsake.work.idle()
    assert lines == [
        f"{GENERAL}: Whoever runs me removed what was kept of members: 1 fact about <@{ALICE}>,"
        f" the text of 1 message by <@{ALICE}>.",
        f"{GENERAL}: Тот, кто меня запускает, удалил сохранённое об участниках: 1 факт (о ком: <@{ALICE}>),"
        f" текст 1 сообщения (чьи слова: <@{ALICE}>).",
    ]
