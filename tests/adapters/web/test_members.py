"""What was told and learned of a member: shown as far as it may be told, and exported."""

from datetime import timedelta

from bot.core.domain import OPEN
from bot.db.pool import Connection
from tests.adapters.web.homes import ALICE, AT_HOME, CLOSED, GUILD, OF_ALICE, PRIVATE, Home, reveal, said


async def test_profile_and_days_are_shown_as_they_may_be_told(served: Home, ids: dict[str, int]) -> None:
    at = said("", 1).timestamp
    async with await served.operator() as client:
        assert (await client.get(f"{OF_ALICE}/profile")).json() == {"versions": []}
        assert (await client.get(f"{OF_ALICE}/days")).json() == {"days": [], "nextCursor": None}

        async def plant(connection: Connection) -> None:
            for version, words in ((1, "Calm."), (2, f"Calm. Adores <@{PRIVATE}>.")):
                await connection.execute(
                    "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)"
                    " VALUES ($1, $2, $3, $4, 1, $5)",
                    GUILD, ALICE, version, words, at + timedelta(days=version),
                )  # fmt: skip
            for day, audience in (("2026-03-01", OPEN), ("2026-03-02", OPEN), ("2026-03-02", CLOSED)):
                await connection.execute(
                    "INSERT INTO distillations (guild_id, kind, audience, subject_id, period, sources, time_zone,"
                    " model_chain, content, built_at) VALUES ($1, 'day', $2, $3, $4, '1', 'UTC', '', $5, $6)",
                    GUILD, audience, ALICE, day, f"Skied on {day} in {audience}.", at,
                )  # fmt: skip

        await served.database.write(plant)
        versions = (await client.get(f"{OF_ALICE}/profile")).json()["versions"]
        assert [(one["version"], one["content"].strip()) for one in versions] == [(2, "Calm."), (1, "Calm.")]
        found, cursor = [], None
        for _ in range(4):
            params = {"limit": "1"} | ({"cursor": cursor} if cursor else {})
            page = (await client.get(f"{OF_ALICE}/days", params=params)).json()
            found += [one["content"] for one in page["days"]]
            cursor = page["nextCursor"]
            if cursor is None:
                break
        assert found == ["Skied on 2026-03-01 in 0.", "Skied on 2026-03-02 in 0."]
        await reveal(client, guildId=GUILD, userId=ALICE)
        assert len((await client.get(f"{OF_ALICE}/days")).json()["days"]) == 3


async def test_the_file_of_a_member_is_that_of_the_command_line_as_far_as_it_is_open(
    served: Home, ids: dict[str, int]
) -> None:
    exporting = served.keepsake.memory.exporting
    async with await served.operator() as client:
        answer = await client.get(f"{OF_ALICE}/export")
        assert answer.content == await exporting.export(guild_id=GUILD, user_id=ALICE, audiences=(OPEN,))
        assert "coup" not in answer.text
        await reveal(client, guildId=GUILD, userId=ALICE)
        assert "plan a coup" in (await client.get(f"{OF_ALICE}/export")).text
        assert (await client.get(f"{AT_HOME}/members/999/export")).status_code == 404
