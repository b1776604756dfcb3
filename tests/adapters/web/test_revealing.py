"""Closed texts are shown to whoever asked for them, for a while, and the audit knows."""

from bot.adapters.web.entering import COOKIE, CSRF_HEADER
from bot.memory.rights.access.records import AccessScope
from tests.adapters.web.homes import (
    ALICE,
    AT_HOME,
    CLOSED,
    GENERAL,
    GUILD,
    OF_ALICE,
    OF_CLOSED,
    OF_GENERAL,
    Home,
    reveal,
)

AUDIT = "/api/v1/audit"


async def test_a_reveal_is_noted_with_its_reason_and_ends_by_itself(
    served: Home, ids: dict[str, int]
) -> None:
    async with await served.operator() as client:
        noted = await reveal(client, guildId=GUILD, channelId=CLOSED)
        assert noted.status_code == 201
        (entry,) = [one for one in (await client.get(AUDIT)).json()["entries"] if one["action"] == "reveal"]
        assert entry == noted.json()
        assert (
            entry["operator"],
            entry["guildId"],
            entry["channelId"],
            entry["userId"],
            entry["reason"],
        ) == (
            "write-token",
            str(GUILD),
            str(CLOSED),
            None,
            "a member complained",
        )
        assert entry["expiresAt"] > entry["at"]
        assert "coup" in (await client.get(f"{OF_CLOSED}/memories")).text
        await served.database.write(
            lambda connection: connection.execute("UPDATE audit SET expires_at = clock_timestamp()")
        )
        assert "coup" not in (await client.get(f"{OF_CLOSED}/memories")).text


async def test_what_is_revealed_to_one_is_shown_to_no_other(served: Home, ids: dict[str, int]) -> None:
    other = await served.keepsake.memory.access.create_token("other", AccessScope.WRITE)
    async with (
        await served.operator() as client,
        served.client(other) as stranger,
        served.client() as browser,
    ):
        await reveal(client, guildId=GUILD, channelId=CLOSED)
        # A session of the very same token has to ask for itself.
        await browser.post("/api/v1/session", json={"token": served.tokens[AccessScope.WRITE]})
        for one in (stranger, browser):
            assert "coup" not in (await one.get(f"{OF_CLOSED}/memories")).text


async def test_a_reveal_needs_a_reason_and_one_place_that_is_known(served: Home, ids: dict[str, int]) -> None:
    async with await served.operator() as client:
        good = {"guildId": str(GUILD), "channelId": str(CLOSED), "reason": "a complaint"}
        for wrong, status in (
            ({"reason": ""}, 422),
            ({"reason": "   "}, 422),
            ({"channelId": None}, 422),
            ({"userId": str(ALICE)}, 422),
            ({"channelId": "7"}, 404),
            ({"guildId": "7"}, 404),
            ({"channelId": CLOSED}, 422),
        ):
            answer = await client.post("/api/v1/reveals", json=good | wrong)
            assert answer.status_code == status, wrong
        assert "reveal" not in (await client.get(AUDIT)).text


async def test_all_that_changes_or_takes_out_is_in_the_audit_by_ids_alone(
    served: Home, ids: dict[str, int]
) -> None:
    async with served.client() as client:
        await client.get(served.link)
        headers = {CSRF_HEADER: (await client.get("/api/v1/session")).json()["csrf"]}
        assert (await client.delete(f"{OF_ALICE}/facts/{ids['tea']}", headers=headers)).status_code == 200
        assert (
            await client.delete(f"{OF_GENERAL}/memories/{ids['cake']}", headers=headers)
        ).status_code == 200
        assert (await client.delete(f"{OF_GENERAL}/memories", headers=headers)).status_code == 200
        await client.patch(f"{AT_HOME}/settings", json={"pings": "on"}, headers=headers)
        await client.get(f"{OF_ALICE}/export")
        await client.get(f"{OF_GENERAL}/export")
        told = await client.get(AUDIT)
        assert client.cookies[COOKIE] not in told.text
    entries = told.json()["entries"]
    assert [(one["action"], one["channelId"], one["userId"], one["itemId"]) for one in entries] == [
        ("export_channel", str(GENERAL), None, None),
        ("export_member", None, str(ALICE), None),
        ("change_settings", None, None, None),
        ("delete_memories", str(GENERAL), None, None),
        ("delete_memory", str(GENERAL), None, str(ids["cake"])),
        ("delete_fact", None, str(ALICE), str(ids["tea"])),
        ("open_session", None, None, None),
    ]
    assert {one["operator"] for one in entries} == {"link"}
    assert "oolong" not in told.text


async def test_pages_of_the_audit_hold_each_entry_once(served: Home) -> None:
    async with await served.operator() as client:
        for name in ("a", "b", "c"):
            await served.keepsake.memory.access.create_token(name, AccessScope.READ)
        first = (await client.get(AUDIT, params={"limit": "3"})).json()
        rest = (await client.get(AUDIT, params={"limit": "3", "cursor": first["nextCursor"]})).json()
    found = [one["id"] for one in first["entries"] + rest["entries"]]
    assert (len(found), len(set(found)), rest["nextCursor"]) == (4, 4, None)
