"""Visits of the members of the guild that conversations are tested in."""

from dataclasses import replace
from itertools import count

from bot.chat.usecases.context import FormReply, RequestContext
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import GUILD_SUBJECT, Language, snowflake_at
from tests.chat.guild import BOT_ID, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild

_commands = count(1)


def visit(
    guild: TalkingGuild, author: str, *, channel_id: int = GENERAL, russian: bool = False
) -> RequestContext:
    """Return a command of `author` that is given now, in a closed channel if it is MODS."""
    return RequestContext(
        guild_id=GUILD_ID,
        channel_id=channel_id,
        audience=MODS if channel_id == MODS else 0,
        user_id=NAMES[author],
        language=Language.RUSSIAN if russian else Language.ENGLISH,
        interaction_id=snowflake_at(guild.clock.now()) + next(_commands),
        bot_id=BOT_ID,
        bot_name="Бот" if russian else "Bot",
    )


def moderator(guild: TalkingGuild, author: str = "florent") -> RequestContext:
    return replace(visit(guild, author), from_moderator=True)


def manager(guild: TalkingGuild, author: str = "florent") -> RequestContext:
    return replace(visit(guild, author), from_manager=True)


def desk_of(guild: TalkingGuild) -> UseCases:
    return guild.keepsake.use_cases


async def remember(
    guild: TalkingGuild, author: str, text: str, *, about: str | None = None, channel_id: int = GENERAL
) -> FormReply:
    """Have `text` remembered, about a chosen member or about whom it names."""
    here = visit(guild, author, channel_id=channel_id)
    return await desk_of(guild).remember(here, NAMES[about] if about else None, text)


async def shown(
    guild: TalkingGuild, about: str | None, *, asker: str = "bob", channel_id: int = GENERAL
) -> list[str]:
    """Return the lines that are shown of a member, or of the guild."""
    here = visit(guild, asker, channel_id=channel_id)
    found = await desk_of(guild).show(here, NAMES[about] if about else GUILD_SUBJECT)
    return [line.text for line in found.lines]
