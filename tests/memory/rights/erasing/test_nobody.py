"""In what others said, who was erased is nobody; nobody else is."""

from datetime import timedelta

from bot.app import Keepsake
from bot.db.pool import Connection, Database
from tests.memory.rights.erasing.lived import BOB, BOT, CAROL, GUILD_ID, NOON, said

LONGER = CAROL * 10
TEXTS = {
    f"<@{CAROL}>": "<@0>",
    f"<@!{CAROL}>, <@{CAROL}>!": "<@0>, <@0>!",
    f"a<@{CAROL}>b": "a<@0>b",
    f"cdn.test/avatars/{CAROL}/x.png": "cdn.test/avatars/0/x.png",
    f"id={CAROL}": "id=0",
    f"<@{BOB}> and <@{CAROL}>": f"<@{BOB}> and <@0>",
    f"<@{BOB}>": f"<@{BOB}>",
    f"{LONGER} is longer, and {CAROL}1 too": f"{LONGER} is longer, and {CAROL}1 too",
    f"99999999999999999999{CAROL}": f"99999999999999999999{CAROL}",
    "<@99999999999999999999>": "<@99999999999999999999>",
    "<@9999999999999999999>": "<@9999999999999999999>",
    "<@7> has 7 apples": "<@7> has 7 apples",
    "": "",
}


async def test_what_is_heard_late_names_only_those_who_are_there(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )

    async def read(connection: Connection) -> dict[str, str]:
        return {
            text: await connection.fetchval("SELECT without_erased($1, $2, $3)", GUILD_ID, text, NOON)
            for text in TEXTS
        }

    assert await database.read(read) == TEXTS


async def test_whom_somebody_names_after_the_erasing_is_named(keepsake: Keepsake, database: Database) -> None:
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    for minute, user_id in ((60 * 24 * 300, BOB), (60 * 24 * 301, BOT)):
        later = said(f"<@{CAROL}> came back", minute, user_id=user_id)
        await keepsake.memory.ingest_messages([later])
        assert await keepsake.library.message(guild_id=GUILD_ID, message_id=later.message_id) == later


async def test_who_was_erased_up_to_when_is_known_to_whoever_reads_back(keepsake: Keepsake) -> None:
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    now = keepsake.clock.now()
    seen_at = {CAROL: now, BOB: now}
    erasing = keepsake.memory.erasing
    assert await erasing.erased_since(guild_id=GUILD_ID, seen_at=seen_at) == {CAROL}
    later = {CAROL: now + timedelta(seconds=1)}
    assert await erasing.erased_since(guild_id=GUILD_ID, seen_at=later) == frozenset()
    assert await erasing.erased_since(guild_id=GUILD_ID + 1, seen_at=seen_at) == frozenset()
    assert await erasing.erased_since(guild_id=GUILD_ID, seen_at={}) == frozenset()
