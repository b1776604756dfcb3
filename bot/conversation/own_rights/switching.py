"""Whether anything is kept of the asker, and whether others are told about them."""

from bot.conversation.own_commands import BePrivate
from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.own_rights.places import places_of, told_where, which_place
from bot.conversation.texts import say
from bot.conversation.turn import Doors, Turn


async def stop(turn: Turn, doors: Doors) -> OwnAnswer:
    """Keep nothing of the asker from now on, and offer to erase what there is."""
    standing, user_id = doors.memory.standing, turn.message.user_id

    async def changes(guild_id: int) -> bool:
        return not (await standing.of(guild_id=guild_id, user_id=user_id)).opted_out

    places = await places_of(turn, doors, fits=changes)
    if places.choices:
        return which_place(turn, places.choices)
    is_new = False
    for guild_id in places.guild_ids:
        is_new = await changes(guild_id) or is_new
        await standing.opt_out(guild_id=guild_id, user_id=user_id)
    where = await told_where(places.guild_ids, turn, doors)
    text = OwnText.STOPPED if is_new else OwnText.STOPPED_ALREADY
    return OwnAnswer(
        text=say(text, turn.language, where=where, bot=turn.bot_name), erasable_in=places.guild_ids
    )


async def go_on(turn: Turn, doors: Doors) -> OwnAnswer:
    """Remember the asker as everybody else, or for the first time where that has to be agreed to."""
    standing, user_id = doors.memory.standing, turn.message.user_id

    async def changes(guild_id: int) -> bool:
        return (await standing.of(guild_id=guild_id, user_id=user_id)).absent

    places = await places_of(turn, doors, fits=changes)
    if places.choices:
        return which_place(turn, places.choices)
    is_new = False
    for guild_id in places.guild_ids:
        is_new = await changes(guild_id) or is_new
        await standing.opt_in(guild_id=guild_id, user_id=user_id)
    where = await told_where(places.guild_ids, turn, doors)
    text = OwnText.ON_AGAIN if is_new else OwnText.ON_ALREADY
    return OwnAnswer(text=say(text, turn.language, where=where, bot=turn.bot_name))


async def be_private(turn: Turn, command: BePrivate, doors: Doors) -> OwnAnswer:
    """Tell others nothing about the asker, or what is told of everybody."""
    standing, user_id = doors.memory.standing, turn.message.user_id

    async def changes(guild_id: int) -> bool:
        return (await standing.of(guild_id=guild_id, user_id=user_id)).private != command.private

    places = await places_of(turn, doors, fits=changes)
    if places.choices:
        return which_place(turn, places.choices)
    for guild_id in places.guild_ids:
        await standing.set_private(guild_id=guild_id, user_id=user_id, private=command.private)
    where = await told_where(places.guild_ids, turn, doors)
    text = OwnText.PRIVATE if command.private else OwnText.NOT_PRIVATE
    return OwnAnswer(text=say(text, turn.language, where=where, bot=turn.bot_name))
