"""Erasing all that is kept of the asker: what would go is said first, and done once they agree."""

from dataclasses import replace

from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.own_rights.places import audiences_in, places_of, told_where, which_place
from bot.conversation.texts import counted, say
from bot.conversation.turn import Doors, Turn
from bot.memory.erasing import Erased


async def ask(turn: Turn, doors: Doors) -> OwnAnswer:
    """Say what would go, for the asker to agree; nothing is erased."""
    places = await places_of(turn, doors)
    if places.choices:
        return which_place(turn, places.choices)
    found = Erased()
    for guild_id in places.guild_ids:
        found += await doors.memory.erasing.counted(
            guild_id=guild_id, user_id=turn.message.user_id, audiences=await audiences_in(guild_id, turn)
        )
    where = await told_where(places.guild_ids, turn, doors)
    if not found:
        return OwnAnswer(text=say(OwnText.NOTHING_TO_ERASE, turn.language, where=where))
    text = say(OwnText.ERASES, turn.language, where=where, counts=told(found, turn))
    return OwnAnswer(text=text, erasable_in=places.guild_ids)


async def erase(turn: Turn, doors: Doors, *, opt_out: bool = False) -> OwnAnswer:
    """Erase it, and say what went or must wait; with `opt_out` nothing of the asker is kept from then on either."""
    places = await places_of(turn, doors)
    if places.choices:
        return which_place(turn, places.choices)
    taken = Erased()
    user_id = turn.message.user_id
    # What can be read is looked up before anything of the asker is gone.
    reach = {guild_id: await audiences_in(guild_id, turn) for guild_id in places.guild_ids}
    where = await told_where(places.guild_ids, turn, doors)
    for guild_id, audiences in reach.items():
        taken += await doors.memory.erasing.erase_member(
            guild_id=guild_id, user_id=user_id, audiences=audiences, opted_out=opt_out
        )
    lines: list[str] = []
    if gone := replace(taken, unfinished=0):
        lines.append(say(OwnText.ERASED, turn.language, where=where, counts=told(gone, turn)))
    if taken.unfinished:
        lines.append(say(OwnText.ERASING_WAITS, turn.language))
    if not taken:
        lines.append(say(OwnText.ERASED_NOTHING_MORE, turn.language, where=where))
    if opt_out:
        lines.append(say(OwnText.ERASED_AND_OFF, turn.language))
    return OwnAnswer(text=" ".join(lines))


def told(erased: Erased, turn: Turn) -> str:
    """Return what goes or went in words, such as "3 messages of yours, 2 facts about you".

    How many notes of others in rooms that the asker cannot read there are is not for them to know.
    """
    language = turn.language
    parts = [
        (erased.messages, OwnText.OWN_MESSAGES),
        (erased.facts, OwnText.FACTS),
        (erased.profiles, OwnText.LEARNED),
        (erased.texts + erased.episodes, OwnText.SUMMARIES),
        (erased.mentions, OwnText.MENTIONS),
        (erased.answers, OwnText.ANSWERS),
    ]
    said = [
        say(
            text,
            language,
            number=number,
            messages=counted(number, "message", language),
            facts=counted(number, "fact", language),
        )
        for number, text in parts
        if number
    ]
    return ", ".join(said) or say(OwnText.ERASES_ALL, language)
