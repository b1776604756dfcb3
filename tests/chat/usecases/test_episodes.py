"""What conversations left behind: for the moderators of its channel, who see and remove it."""

from dataclasses import replace

from bot.db.pool import Database
from tests.chat.guild import GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, moderator, visit
from tests.memory.summaries.episodes.kept import keep


async def test_moderators_see_the_episodes_of_a_channel_newest_first_with_names(
    guild: TalkingGuild, database: Database
) -> None:
    for number in (1, 2):
        content = f"<@{NAMES['bob']}> decided number {number}."
        await keep(database, content, guild_id=GUILD_ID, channel_id=GENERAL, number=number)
    await keep(database, "closed", guild_id=GUILD_ID, channel_id=GENERAL, number=3, audience=MODS)
    await keep(database, "elsewhere", guild_id=GUILD_ID, channel_id=MODS, number=4, audience=MODS)
    left = await desk_of(guild).episodes(moderator(guild))
    assert [line.text for line in left.lines] == ["bob decided number 2.", "bob decided number 1."]
    assert [f"{line.at:%Y-%m-%d}" for line in left.lines] == ["2026-03-03", "2026-03-02"]


async def test_nobody_else_sees_or_removes_them(guild: TalkingGuild, database: Database) -> None:
    use_cases = desk_of(guild)
    episode_id = await keep(database, "kept", guild_id=GUILD_ID, channel_id=GENERAL)
    for here in (visit(guild, "bob"), replace(moderator(guild), visitor=True)):
        left = await use_cases.episodes(here)
        assert left.lines == ()
        said = await use_cases.remove_episode(here, episode_id)
        assert said.text == left.title
    russian = await use_cases.episodes(visit(guild, "bob", russian=True))
    assert "только модераторы" in russian.title
    assert len((await use_cases.episodes(moderator(guild))).lines) == 1


async def test_an_episode_is_removed_once_and_only_in_its_channel(
    guild: TalkingGuild, database: Database
) -> None:
    use_cases = desk_of(guild)
    episode_id = await keep(database, "kept", guild_id=GUILD_ID, channel_id=GENERAL)
    elsewhere = replace(moderator(guild), channel_id=MODS, audience=MODS)
    assert "nothing was removed" in (await use_cases.remove_episode(elsewhere, episode_id)).text
    assert (await use_cases.remove_episode(moderator(guild), episode_id)).text.startswith("Removed")
    assert "nothing was removed" in (await use_cases.remove_episode(moderator(guild), episode_id)).text
    assert (await use_cases.episodes(moderator(guild))).title.startswith("Past conversations")
