"""The table of whom facts are about is true after every write, in whatever way it was made."""

import pytest

from bot.app import Keepsake
from bot.core.domain import GUILD_SUBJECT
from bot.db.pool import Connection, Database
from bot.memory.facts.about import with_member
from bot.memory.facts.statements import keyed_by_name
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild
from tests.memory.rights.erasing.lived import CAROL, live

SHOULD = """
    SELECT guild_id, fact_id, 'subject' AS role, subject_id AS user_id FROM facts f
    WHERE status <> 'forgotten' AND key NOT LIKE 'of:%'
    UNION SELECT guild_id, fact_id, 'named', (found[1])::bigint
    FROM facts, regexp_matches(content, '<@!?([1-9][0-9]*)>', 'g') AS found
    WHERE status <> 'forgotten' AND (found[1])::bigint <> subject_id
    UNION SELECT guild_id, fact_id, 'teller', s.author_id FROM facts f JOIN fact_sources s USING (guild_id, fact_id)
    WHERE f.status <> 'forgotten' AND s.author_id <> 0
"""
IS = "SELECT guild_id, fact_id, role, user_id FROM fact_about WHERE name = ''"


async def untrue(database: Database) -> list[tuple[object, ...]]:
    """Return the rows that are there and should not be, or should be and are not."""

    async def look(connection: Connection) -> list[tuple[object, ...]]:
        rows = await connection.fetch(
            f"SELECT 'missing', * FROM ({SHOULD} EXCEPT {IS}) missing"
            f" UNION ALL SELECT 'wrong', * FROM ({IS} EXCEPT ({SHOULD})) wrong"
        )
        return [tuple(row) for row in rows]

    return await database.read(look)


async def about(database: Database, says: str) -> set[tuple[str, int, str]]:
    """Return role, member and name of all who have to do with the fact that says this."""

    async def look(connection: Connection) -> set[tuple[str, int, str]]:
        rows = await connection.fetch(
            "SELECT role, user_id, name FROM fact_about JOIN facts USING (guild_id, fact_id)"
            " WHERE guild_id = $1 AND strpos(content, $2) > 0",
            GUILD_ID, says,
        )  # fmt: skip
        return {(row["role"], row["user_id"], row["name"]) for row in rows}

    return await database.read(look)


async def test_it_is_true_after_a_life_with_corrections_and_after_each_right(
    keepsake: Keepsake, database: Database
) -> None:
    messages = await live(keepsake, database)
    assert await untrue(database) == []
    guild_id = messages[0].guild_id
    facts = await keepsake.memory.facts_of_message(guild_id=guild_id, message_id=messages[2].message_id)
    await keepsake.memory.forget(guild_id=guild_id, fact_ids=[fact.fact_id for fact in facts])
    assert await untrue(database) == []
    await keepsake.memory.erasing.erase_member(
        guild_id=guild_id, user_id=CAROL, audiences=None, opted_out=False
    )
    await keepsake.work.idle()
    assert await untrue(database) == []


async def test_everyone_who_has_to_do_with_a_fact_is_noted_by_their_role(
    guild: TalkingGuild, database: Database
) -> None:
    alice, bob = NAMES["alice"], NAMES["bob"]
    await guild.say("alice", "Bot, remember that gruzilkin likes bob")
    assert await about(database, "likes") == {
        ("subject", NAMES["gruzilkin"], ""), ("teller", alice, ""), ("named", bob, ""),
    }  # fmt: skip
    await guild.say("bob", "Bot, remember that gruzilkin likes bob")
    assert ("teller", bob, "") in await about(database, "likes")
    await guild.say("alice", "Bot, no, florent likes bob")
    assert await untrue(database) == []


async def test_a_name_that_is_nobodys_is_what_its_fact_is_about_and_not_the_guild(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    assert await about(database, "York") == {("subject", 0, "dave"), ("teller", NAMES["alice"], "")}
    await guild.say("alice", "Bot, remember that the raid is on Friday")
    assert ("subject", GUILD_SUBJECT, "") in await about(database, "raid")


async def test_what_is_said_of_a_name_competes_with_what_is_said_of_it_alone(
    guild: TalkingGuild, database: Database
) -> None:
    for statement in ("dave lives in York", "zoltan lives in Rome", "dave lives in Leeds"):
        await guild.say("alice", f"Bot, remember that {statement}")
    found = await database.read(
        lambda connection: connection.fetch("SELECT content FROM facts WHERE status = 'active' ORDER BY 1")
    )
    assert [row["content"] for row in found] == ["dave lives in Leeds", "zoltan lives in Rome"]


@pytest.mark.parametrize(
    ("text", "name", "becomes"),
    [
        ("dave lives in York", "dave", "<@9> lives in York"),
        ("Dave's dog likes Dave", "dave", "<@9>'s dog likes <@9>"),
        ("May was born in May", "May", "<@9> was born in May"),
        ("Hope says hope dies last", "Hope", "<@9> says hope dies last"),
        ("у Розы есть кот", "Розы", "у <@9> есть кот"),
        ("Роза любит розы", "Роза", "<@9> любит розы"),
        ("Zoe met Zoë", "Zoë", "<@9> met <@9>"),
        ("Anna Smith likes Anna", "Anna Smith", "<@9> likes Anna"),
        ("<@12> likes dave", "dave", "<@12> likes <@9>"),
        ("daveson likes dave-style tea", "dave", "daveson likes dave-style tea"),
    ],
)
def test_a_member_takes_the_place_of_a_name_and_of_no_other_word(text: str, name: str, becomes: str) -> None:
    assert with_member(text, name, 9) == becomes


def test_a_fact_about_a_name_has_the_key_that_it_would_have_of_a_member() -> None:
    assert keyed_by_name("May is a nurse", ["May"]) == ("of:may|works_as", "nurse")
    key, value = keyed_by_name("Dave is fond of Dave", ["Dave"])
    assert key.startswith("of:dave|note:")
    assert value == "Dave is fond of Dave"
