"""The memories of a channel: listed, deleted, exported."""

from bot.core.domain import OPEN
from tests.adapters.web.homes import (
    ALICE,
    AT_HOME,
    BOB,
    CLOSED,
    DIRECT,
    GENERAL,
    GUILD,
    OF_CLOSED,
    OF_GENERAL,
    PRIVATE,
    Home,
    reveal,
    said,
)
from tests.memory.summaries.episodes.kept import keep

OF_DIRECT = f"/api/v1/guilds/{DIRECT}/channels/{DIRECT}"


async def test_memories_are_listed_newest_first_in_utc(served: Home, ids: dict[str, int]) -> None:
    async with await served.operator() as client:
        told = (await client.get(f"{OF_GENERAL}/memories")).json()
    assert told == {
        "memories": [
            {
                "id": str(ids["cake"]),
                "content": f"<@{BOB}> baked a cake.",
                "createdAt": "2026-02-11T08:00:00Z",
                "updatedAt": "2026-02-09T08:00:00Z",
            },
            {
                "id": str(ids["picnic"]),
                "content": f"<@{ALICE}> and <@{BOB}> planned a picnic.",
                "createdAt": "2026-02-10T08:00:00Z",
                "updatedAt": "2026-02-09T08:00:00Z",
            },
        ],
        "nextCursor": None,
        "hidden": 0,
    }


async def test_pages_follow_one_another_and_hold_each_memory_once(served: Home, ids: dict[str, int]) -> None:
    found, cursor = [], None
    async with await served.operator() as client:
        for _ in range(5):
            params = {"limit": "1"} | ({"cursor": cursor} if cursor else {})
            page = (await client.get(f"{OF_GENERAL}/memories", params=params)).json()
            found += [int(one["id"]) for one in page["memories"]]
            cursor = page["nextCursor"]
            if cursor is None:
                break
    assert found == [ids["cake"], ids["picnic"]]


async def test_one_is_deleted_and_its_conversation_leaves_no_other(served: Home, ids: dict[str, int]) -> None:
    async with await served.operator() as client:
        gone = await client.delete(f"{OF_GENERAL}/memories/{ids['picnic']}")
        assert gone.json() == {"success": True, "deletedCount": 1}
        assert (await client.delete(f"{OF_GENERAL}/memories/{ids['picnic']}")).status_code == 404
        left = (await client.get(f"{OF_GENERAL}/memories")).json()["memories"]
    assert [one["id"] for one in left] == [str(ids["cake"])]


async def test_one_of_another_channel_stays(served: Home, ids: dict[str, int]) -> None:
    async with await served.operator() as client:
        assert (await client.delete(f"{OF_CLOSED}/memories/{ids['cake']}")).status_code == 404
        assert (await client.delete(f"{OF_DIRECT}/memories/{ids['cake']}")).status_code == 404
        assert (await client.delete(f"{AT_HOME}/channels/7/memories")).status_code == 404
        assert len((await client.get(f"{OF_GENERAL}/memories")).json()["memories"]) == 2


async def test_all_of_a_channel_are_deleted_closed_ones_too_and_no_others(
    served: Home, ids: dict[str, int]
) -> None:
    await keep(
        served.database, "Closed then.", guild_id=GUILD, channel_id=GENERAL, audience=GENERAL, number=9
    )
    async with await served.operator() as client:
        assert (await client.get(f"{OF_GENERAL}/memories")).json()["hidden"] == 1
        assert (await client.delete(f"{OF_GENERAL}/memories")).json() == {"success": True, "deletedCount": 3}
        assert (await client.delete(f"{OF_GENERAL}/memories")).json() == {"success": True, "deletedCount": 0}
    kept = await served.keepsake.memory.episodes.everywhere()
    assert {one.episode_id for one in kept} == {ids["coup"], ids["whales"]}


async def test_of_closed_rooms_and_direct_messages_only_the_size_is_told(
    served: Home, ids: dict[str, int]
) -> None:
    async with await served.operator() as client:
        for path in (OF_CLOSED, OF_DIRECT):
            told = (await client.get(f"{path}/memories")).json()
            assert (told["memories"], told["hidden"]) == ([], 1)
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        await reveal(client, guildId=DIRECT, channelId=DIRECT)
        for path, content in ((OF_CLOSED, "coup"), (OF_DIRECT, "whales")):
            told = (await client.get(f"{path}/memories")).json()
            assert told["hidden"] == 0
            assert content in told["memories"][0]["content"]


async def test_what_tells_of_a_member_who_opted_out_is_left_out(served: Home, ids: dict[str, int]) -> None:
    await served.keepsake.memory.ingest_message(said(f"<@{BOB}> juggles", 20))
    await served.keepsake.memory.consent.opt_out(guild_id=GUILD, user_id=BOB)
    async with await served.operator() as client:
        found = await client.get(f"{AT_HOME}/search", params={"q": "who juggles?"})
        for told in (found, *[await client.get(f"{OF_GENERAL}/{what}") for what in ("memories", "export")]):
            assert str(BOB) not in told.text


async def test_what_a_private_member_said_and_what_names_one_is_left_out_until_it_is_revealed(
    served: Home, ids: dict[str, int]
) -> None:
    for minute, text in ((20, f"<@{PRIVATE}> juggles clubs"), (21, "clubs are for golf")):
        await served.keepsake.memory.ingest_message(said(text, minute, user_id=BOB))
    resting = await keep(served.database, "Somebody juggled.", guild_id=GUILD, channel_id=GENERAL, number=9)
    await served.database.write(
        lambda connection: connection.execute(
            "INSERT INTO ended_conversations"
            " (guild_id, channel_id, first_message_id, last_message_id, ended_at, settled, episode_id, told_ids)"
            " VALUES ($1, $2, $3, $3, now(), true, $4, ARRAY[$3::bigint])",
            GUILD, GENERAL, said("", 4).message_id, resting,
        )
    )  # fmt: skip
    looks: tuple[tuple[str, set[str], set[str]], ...] = (
        (f"{AT_HOME}/search?q=clubs", {"clubs are for golf"}, {"juggles"}),
        (f"{AT_HOME}/search?q=yacht", set(), {"yacht"}),
        (f"{AT_HOME}/search?q=juggled", set(), {"Somebody juggled"}),
        (f"{OF_GENERAL}/memories", set(), {"Somebody juggled"}),
        (f"{OF_GENERAL}/export", {"clubs are for golf"}, {"juggles", "yacht", "Somebody juggled"}),
    )
    async with await served.operator() as client:
        for path, shown, hidden in looks:
            text = (await client.get(path)).text
            assert [word for word in hidden if word in text] == [], path
            assert [word for word in shown if word not in text] == [], path
        await reveal(client, guildId=GUILD, userId=PRIVATE)
        for path, shown, hidden in looks:
            text = (await client.get(path)).text
            assert [word for word in shown | hidden if word not in text] == [], path


async def test_the_file_of_a_channel_holds_what_was_said_there_and_no_more(
    served: Home, ids: dict[str, int]
) -> None:
    async with await served.operator() as client:
        answer = await client.get(f"{OF_GENERAL}/export")
        assert answer.headers["content-disposition"] == f'attachment; filename="channel-{GENERAL}.json"'
        file = answer.json()
        assert file["channel"] == {"id": str(GENERAL), "name": "general", "parent": None}
        assert file["audiences"] == [str(OPEN)]
        assert [one["text"] for one in file["messages"]] == ["Bot, remember that I like oolong"]
        assert {one["id"] for one in file["episodes"]} == {str(ids["picnic"]), str(ids["cake"])}
        assert file["counts"] == {"messages": 1, "episodes": 2}
        closed = await client.get(f"{OF_CLOSED}/export")
        assert closed.json()["counts"] == {"messages": 0, "episodes": 0}
        assert "coup" not in closed.text
        assert "secret-plans" not in closed.text
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        shown = (await client.get(f"{OF_CLOSED}/export")).json()
        assert (shown["channel"]["name"], shown["counts"]["messages"]) == ("secret-plans", 1)
