"""Servers, channels and members are listed, searched and set."""

from datetime import date

from bot.llm.budget import Spent
from bot.llm.ledger import DatabaseLedger
from bot.memory.guilds.settings import GUILD_SETTINGS
from tests.adapters.web.homes import (
    ALICE,
    AT_HOME,
    BOB,
    CLOSED,
    DIRECT,
    GENERAL,
    GUILD,
    PRIVATE,
    Home,
    reveal,
    settle,
)

GUILDS = "/api/v1/guilds"


async def test_servers_are_listed_and_direct_messages_have_no_name(served: Home, ids: dict[str, int]) -> None:
    async with await served.operator() as client:
        told = (await client.get(GUILDS)).json()
        assert [(one["id"], one["name"], one["direct"]) for one in told["guilds"]] == [
            (str(GUILD), "Home", False),
            (str(DIRECT), None, True),
        ]
        first = (await client.get(GUILDS, params={"limit": "1"})).json()
        rest = (await client.get(GUILDS, params={"limit": "1", "cursor": first["nextCursor"]})).json()
        assert [one["id"] for one in first["guilds"] + rest["guilds"]] == [str(GUILD), str(DIRECT)]
        size = (await client.get(AT_HOME)).json()
    assert {name: size[name] for name in ("channels", "members", "messages", "facts", "episodes")} == {
        "channels": 2,
        "members": 3,
        "messages": 3,
        "facts": 3,
        "episodes": 3,
    }


async def test_a_closed_channel_has_a_size_and_no_name_until_it_is_revealed(
    served: Home, ids: dict[str, int]
) -> None:
    async with await served.operator() as client:
        told = (await client.get(f"{AT_HOME}/channels")).json()["channels"]
        assert [
            (one["id"], one["name"], one["closed"], one["messages"], one["memories"]) for one in told
        ] == [
            (str(GENERAL), "general", False, 2, 2),
            (str(CLOSED), None, True, 1, 1),
        ]
        (direct,) = (await client.get(f"{GUILDS}/{DIRECT}/channels")).json()["channels"]
        assert (direct["name"], direct["closed"], direct["messages"]) == (None, True, 1)
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        told = (await client.get(f"{AT_HOME}/channels")).json()["channels"]
        assert [one["name"] for one in told] == ["general", "secret-plans"]


async def test_members_are_found_by_a_part_of_a_name(served: Home) -> None:
    await settle(served)
    async with await served.operator() as client:
        for search, found in (
            ("ALL", [ALICE]),
            ("100%", [BOB]),
            ("_", [BOB]),
            ("%", [BOB]),
            ("", [ALICE, BOB, PRIVATE]),
        ):
            told = (await client.get(f"{AT_HOME}/members", params={"search": search})).json()["members"]
            assert [int(one["id"]) for one in told] == found, search
        first = (await client.get(f"{AT_HOME}/members", params={"limit": "2"})).json()
        rest = (
            await client.get(f"{AT_HOME}/members", params={"limit": "2", "cursor": first["nextCursor"]})
        ).json()
        assert [int(one["id"]) for one in first["members"] + rest["members"]] == [ALICE, BOB, PRIVATE]
        assert (await client.get(f"{AT_HOME}/members", params={"search": "\0"})).status_code == 200


async def test_search_finds_what_is_open_and_what_was_revealed(served: Home, ids: dict[str, int]) -> None:
    await served.keepsake.work.idle()
    async with await served.operator() as client:

        async def found(words: str, guild_id: int = GUILD) -> set[str]:
            hits = (await client.get(f"{GUILDS}/{guild_id}/search", params={"q": words})).json()["hits"]
            return {f"{one['kind']}:{one['id']}" for one in hits}

        assert f"fact:{ids['tea']}" in await found("oolong")
        assert f"episode:{ids['picnic']}" in await found("picnic")
        assert await found("coup") == set()
        assert await found("whales", DIRECT) == set()
        assert f"fact:{ids['hush']}" not in await found("yacht"), "of a private member no fact is shown"
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        await reveal(client, guildId=DIRECT, channelId=DIRECT)
        await reveal(client, guildId=GUILD, userId=PRIVATE)
        assert f"fact:{ids['plan']}" in await found("coup")
        assert f"fact:{ids['whisper']}" in await found("whales", DIRECT)
        assert f"fact:{ids['hush']}" in await found("yacht")


async def test_settings_are_shown_and_changed_as_managers_do(served: Home) -> None:
    await settle(served)
    async with await served.operator() as client:
        told = (await client.get(f"{AT_HOME}/settings")).json()["settings"]
        assert [one["name"] for one in told] == [*GUILD_SETTINGS]
        assert next(one for one in told if one["name"] == "pings")["choices"] == ["on", "off"]
        changes = {"time_zone": "europe/berlin", "retention_days": "7", "log_channel": str(GENERAL)}
        changed = (await client.patch(f"{AT_HOME}/settings", json=changes)).json()["settings"]
        values = {one["name"]: one["value"] for one in changed}
        assert (values["time_zone"], values["retention_days"], values["log_channel"]) == (
            "Europe/Berlin",
            "7",
            str(GENERAL),
        )
        back = await client.patch(f"{AT_HOME}/settings", json={"retention_days": ""})
        assert {one["name"]: one["value"] for one in back.json()["settings"]}["retention_days"] == ""


async def test_of_settings_that_cannot_be_none_is_changed(served: Home) -> None:
    await settle(served)
    async with await served.operator() as client:
        for name, value in (
            ("pings", "perhaps"),
            ("log_channel", "5"),
            ("mood", "high"),
            ("text_search", "klingon"),
        ):
            refused = await client.patch(f"{AT_HOME}/settings", json={"retention_days": "7", name: value})
            assert refused.status_code == 422
            assert name in refused.json()["detail"] or "there is no such setting" in refused.json()["detail"]
    guild = await served.keepsake.directory.guild(GUILD)
    assert guild is not None
    assert guild.retention_days is None


async def test_usage_is_told_by_day_server_operation_and_model(served: Home) -> None:
    ledger = DatabaseLedger(served.database)
    for day, guild_id in ((date(2026, 1, 1), GUILD), (date(2026, 2, 28), GUILD), (date(2026, 2, 28), 0)):
        await ledger.record(
            Spent(
                guild_id=guild_id,
                day=day,
                operation="reply",
                model="gemma",
                calls=2,
                failures=1,
                input_tokens=300,
                output_tokens=40,
                cached_tokens=5,
            )
        )
    async with await served.operator() as client:
        paged: list[object] = []
        cursor = "0001-01-01.0.a.b"
        for _ in range(4):
            page = (await client.get("/api/v1/usage", params={"limit": "1", "cursor": cursor})).json()
            paged += page["usage"]
            if (cursor := page["nextCursor"]) is None:
                break
        assert (await client.get("/api/v1/usage", params={"cursor": "2026-02-30.0.a.b"})).status_code == 422
        lately = (await client.get("/api/v1/usage")).json()["usage"]
        assert [one["guildId"] for one in lately] == ["0", str(GUILD)]
        assert paged == lately
        asked = {"since": "2026-01-01", "guildId": str(GUILD)}
        used = (await client.get("/api/v1/usage", params=asked)).json()["usage"]
    assert [one["day"] for one in used] == ["2026-01-01", "2026-02-28"]
    assert used[0] == {
        "day": "2026-01-01",
        "guildId": str(GUILD),
        "operation": "reply",
        "model": "gemma",
        "calls": 2,
        "failures": 1,
        "inputTokens": 300,
        "outputTokens": 40,
        "cachedTokens": 5,
    }
