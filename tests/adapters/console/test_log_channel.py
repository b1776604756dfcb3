"""The log channel at the console: a line after the step that removed something about somebody else."""

from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.core.settings import Settings
from tests.adapters.console.sessions import play_on

SCENE = """
/channel log
/member mona manager
/member max moderator
#general mona: /memory set log_channel #log
#general mona: /memory set forget_others moderators
#general bob: Bot, remember that Alice likes zanzibar
"""


async def test_what_is_removed_about_others_is_noted_and_what_is_ones_own_is_not(dsn: str) -> None:
    settings = Settings(_env_file=None, database_url=SecretStr(dsn))
    async with open_session(settings) as session:
        await session.guild.member("Alice")
        told = await play_on(session, SCENE.strip())
        replies = [one.reply or "" for one in told]
        assert replies[0].endswith("#log from now on.")
        refused = await play_on(session, "#general bob: Bot, forget that Alice likes zanzibar")
        assert "Forgotten" not in (refused[0].reply or "")
        assert session.log.taken() == []
        await play_on(session, "#general max: Bot, forget that Alice likes zanzibar")
        (line,) = session.log.taken()
        assert line == (
            "[#log] max had removed what was kept of others: 1 fact about Alice, the text of 2 messages by bob."
        )
        await play_on(
            session, "#general bob: Bot, remember that I like tea\n#general bob: Bot, forget that I like tea"
        )
        assert session.log.taken() == []
        await play_on(session, "#general bob: Bot, remember that Alice likes jam\n/restart")
        await play_on(session, "#general max: Bot, forget that Alice likes jam")
        assert len(session.log.taken()) == 1
        (listed,) = await play_on(session, "#general mona: /memory settings")
        assert "(log_channel): #log" in (listed.reply or "")
        (wrong,) = await play_on(session, "#general mona: /memory set log_channel 17")
        assert "Nothing was changed" in (wrong.reply or "")
