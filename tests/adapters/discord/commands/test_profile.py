"""The profile on Discord: shown to its subject alone, a sentence chosen and removed, learning switched."""

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import is_for_one
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer

SENTENCES = ("Alice builds boats.", "She prefers green tea @everyone.")


async def learned(database: Database, guild: FakeGuild) -> None:
    """Let something have been learned of alice."""
    await database.write(
        lambda connection: connection.execute(
            """
            INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)
            VALUES ($1, $2, 1, $3, 1, now())
            """,
            guild.guild_id,
            guild.member("alice").user_id,
            " ".join(SENTENCES),
        )
    )


async def test_a_member_reads_removes_and_switches_in_their_language_after_a_restart_too(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    await learned(database, guild)
    async with running_bot(discord_server, database):
        shown = await guild.slash("alice", "general", "memory profile")
        offered = await guild.autocomplete(
            "alice", "general", "memory profile", focused="remove", typed="tea"
        )
        nothing = await guild.slash("bob", "general", "memory profile")
        not_offered = await guild.autocomplete("bob", "general", "memory profile", focused="remove", typed="")
    assert is_for_one(shown)
    assert shown.text.splitlines()[1:3] == [f"1. {SENTENCES[0]}", f"2. {SENTENCES[1]}"]
    [choice] = offered.choices
    assert choice.name == SENTENCES[1]
    assert nothing.text.startswith("I have learned nothing about you")
    assert not_offered.choices == []
    guild.member("alice").user.locale = "ru"
    async with running_bot(discord_server, database):
        removed = await guild.slash("alice", "general", "память портрет", удалить=str(choice.value))
        typed = await guild.slash("alice", "general", "память портрет", удалить="чай", выводы="off")
        left = await guild.slash("alice", DIRECTLY, "память портрет")
        about = await guild.slash("alice", "general", "память показать", участник="alice")
        by_others = await guild.slash("bob", "general", "memory show", member="alice")
    assert removed.text.startswith("Удалено")
    assert typed.text.splitlines()[0] == "Такого предложения уже нет; ничего не удалено."
    assert typed.text.splitlines()[1].startswith("Больше из наших разговоров не будет делаться выводов.")
    assert left.text.splitlines()[1] == f"1. {SENTENCES[0]}"
    assert "tea" not in left.text
    assert left.text.splitlines()[2].startswith("Последний раз пересказано на сервере Home: ")
    assert left.text.splitlines()[3].startswith("Из наших разговоров, как вы и просили")
    assert SENTENCES[0] in about.text
    assert SENTENCES[0] not in by_others.text
