"""What was missed, by command: for whoever asks alone, with links, and never out of a closed room."""

from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.commands.acts import is_for_one, listed
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage

PATH = "memory catchup"


async def heard(bot: RunningBot, guild: FakeGuild, message: FakeMessage) -> None:
    """Return once a message is kept."""

    async def is_kept() -> bool:
        kept = await bot.keepsake.library.message(guild_id=guild.guild_id, message_id=message.message_id)
        return kept is not None

    await eventually(is_kept)


async def test_what_was_missed_is_told_with_links_in_the_language_of_whoever_asks(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "games"))
    guild.add_role("Crew")
    crew = guild.add_channel("crew", visible_to=("Crew",))
    guild.add_member("carol", roles=("Crew",))
    guild.member("bob").user.locale = "ru"
    async with running_bot(discord_server, database) as bot:
        await guild.say("alice", "general", "shall we meet on Friday?")
        begins = await guild.say("alice", "games", "chess tonight, @everyone?")
        await heard(bot, guild, await guild.say("alice", crew, "the rum is gone"))
        english = await guild.slash("carol", "general", PATH)
        russian = await guild.slash("bob", "general", "память пропущенное", канал="games", начиная="2 часа")
        closed = await guild.slash("carol", "general", PATH, channel="crew")
        dependencies = await guild.slash("carol", crew, PATH, channel="crew", since="yesterday")
        wrong = await guild.slash("carol", "general", PATH, since="the flood")
        direct = await guild.slash("carol", DIRECTLY, PATH)
    for answer in (english, russian, closed, dependencies, wrong, direct):
        assert is_for_one(answer), answer.name
    assert english.text.startswith("What you missed")
    assert ["Friday" in line or "chess" in line for line in listed(english.text)] == [True, True]
    source = f"https://discord.com/channels/{guild.guild_id}/{begins.channel.channel_id}/{begins.message_id}"
    [line] = listed(russian.text)
    assert "#games · alice · 1 сообщение: “chess tonight" in line
    assert line.endswith(f"[источник]({source})")
    assert "ask me there" in closed.text
    assert "rum" not in english.text + russian.text + closed.text
    assert ["rum" in line for line in listed(dependencies.text)] == [True]
    assert "“the flood” is no time" in wrong.text
    assert not listed(direct.text)


async def test_said_in_the_channel_it_is_answered_there_and_what_is_closed_stays_closed(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "games"))
    guild.add_role("Crew")
    crew = guild.add_channel("crew", visible_to=("Crew",))
    guild.add_member("carol", roles=("Crew",))
    async with running_bot(discord_server, database):
        begins = await guild.say("alice", "games", "chess tonight?")
        await guild.say("alice", crew, "the rum is gone")
        told = await discord_server.answer_to(
            await guild.say("carol", "general", "Bot, what did I miss since yesterday?")
        )
        games = guild.channel("games").channel_id
        narrowed = await discord_server.answer_to(
            await guild.say("carol", "general", f"Bot, what did I miss in <#{games}>?")
        )
        refused = await discord_server.answer_to(
            await guild.say("carol", "general", f"Bot, what did I miss in <#{crew.channel_id}>?")
        )
    source = f"https://discord.com/channels/{guild.guild_id}/{games}/{begins.message_id}"
    for answer in (told, narrowed):
        assert source in answer.text
        assert "chess" in answer.text
    assert "rum" not in told.text + narrowed.text + refused.text
