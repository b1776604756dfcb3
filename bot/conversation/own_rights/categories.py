"""Which kinds of memory are kept of the asker, and for how long."""

from collections.abc import Sequence
from typing import Final

from bot.conversation.own_commands import ChooseCategory
from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.own_texts import KINDS, OwnText
from bot.conversation.own_rights.places import places_of, told_where, which_place
from bot.conversation.texts import counted, say
from bot.conversation.turn import Doors, Turn
from bot.memory.standing import CATEGORIES, KeptCategory

MOST_DAYS: Final = 36_500
"""A hundred years: whoever wants more wants them kept as everything else."""


async def tell(turn: Turn, doors: Doors) -> OwnAnswer:
    """Say of each kind of memory whether and for how long it is kept of the asker."""
    places = await places_of(turn, doors)
    if places.choices:
        return which_place(turn, places.choices)
    guild_id = places.guild_ids[0]
    standing = await doors.memory.standing.of(guild_id=guild_id, user_id=turn.message.user_id)
    where = await told_where([guild_id], turn, doors)
    lines = [say(OwnText.CATEGORIES, turn.language, where=where)]
    lines += [
        say(
            OwnText.CATEGORY,
            turn.language,
            category=say(KINDS[category], turn.language),
            choice=_choice(turn, standing.kept_categories.get(category)),
        )
        for category in CATEGORIES
    ]
    if standing.absent:
        lines.append(say(OwnText.CATEGORIES_ABSENT, turn.language, where=where))
    return OwnAnswer(text="\n".join(lines))


async def choose(turn: Turn, commands: Sequence[ChooseCategory], doors: Doors) -> OwnAnswer:
    """Keep kinds of memory about the asker from now on as they choose; a wrong choice changes nothing."""
    if refused := next(filter(None, (_refused(turn, command) for command in commands)), None):
        return OwnAnswer(text=refused)
    places = await places_of(turn, doors)
    if places.choices:
        return which_place(turn, places.choices)
    for guild_id in places.guild_ids:
        for command in commands:
            await doors.memory.standing.keep_category(
                guild_id=guild_id,
                user_id=turn.message.user_id,
                category=command.category,
                kept=command.kept,
                days=command.days if command.kept else None,
            )
    where = await told_where(places.guild_ids, turn, doors)
    return OwnAnswer(text="\n".join(_chosen(turn, command, where) for command in commands))


def _refused(turn: Turn, command: ChooseCategory) -> str | None:
    if command.category not in CATEGORIES:
        names = ", ".join(CATEGORIES)
        return say(OwnText.WRONG_CATEGORY, turn.language, value=command.category[:60], names=names)
    if command.days is not None and not 1 <= command.days <= MOST_DAYS:
        return say(OwnText.WRONG_DAYS, turn.language, value=command.days, most=MOST_DAYS)
    return None


def _chosen(turn: Turn, command: ChooseCategory, where: str) -> str:
    category = say(KINDS[command.category], turn.language)
    if not command.kept:
        return say(OwnText.CATEGORY_NOT_KEPT, turn.language, category=category, where=where)
    if command.days is None:
        return say(OwnText.CATEGORY_KEPT, turn.language, category=category, where=where)
    days = counted(command.days, "day", turn.language)
    return say(OwnText.CATEGORY_KEPT_FOR, turn.language, category=category, where=where, days=days)


def _choice(turn: Turn, chosen: KeptCategory | None) -> str:
    if chosen is None or (chosen.kept and chosen.days is None):
        return say(OwnText.IS_KEPT, turn.language)
    if not chosen.kept or chosen.days is None:
        return say(OwnText.IS_NOT_KEPT, turn.language)
    return say(OwnText.IS_KEPT_FOR, turn.language, days=counted(chosen.days, "day", turn.language))
