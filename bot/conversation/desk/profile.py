"""A member's own profile: shown to them, a sentence taken out of it, learning switched on or off."""

from bot.conversation.asking import profile_guild_ids
from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.showing import clipped
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Said, Sentence, ShownProfile
from bot.conversation.texts import say
from bot.conversation.turn import Doors


async def show(turn: FormTurn, doors: Doors, *, learns: bool) -> ShownProfile:
    """Return the visitor's profile, and whether it is learned on; `learns` is whether anything is at all."""
    guild_ids, user_id = profile_guild_ids(turn), turn.message.user_id
    found = await doors.memory.profiles.sentences(guild_ids=guild_ids, user_id=user_id)
    wanted = await doors.memory.profiles.is_learned_about(guild_ids=guild_ids, user_id=user_id)
    title = DeskText.PROFILE if found else DeskText.NO_PROFILE
    state = DeskText.LEARNING_IS_ON if wanted else DeskText.LEARNING_IS_OFF
    return ShownProfile(
        title=say(title, turn.language),
        sentences=tuple(Sentence(one.sentence_id, turn.rendered(one.text)) for one in found),
        state=say(state if learns else DeskText.NOTHING_IS_LEARNED, turn.language),
    )


async def choices(turn: FormTurn, typed: str, doors: Doors, *, limit: int) -> list[Sentence]:
    """Return the sentences of the visitor's profile that hold all words `typed`, short enough for a list."""
    found = await doors.memory.profiles.sentences(
        guild_ids=profile_guild_ids(turn), user_id=turn.message.user_id
    )
    wanted = typed.casefold().split()
    offered = [Sentence(one.sentence_id, clipped(" ".join(turn.rendered(one.text).split()))) for one in found]
    return [one for one in offered if all(word in one.text.casefold() for word in wanted)][:limit]


async def delete(turn: FormTurn, sentence_id: str, doors: Doors) -> Said:
    """Take a sentence out of the visitor's profile, wherever it stands in it."""
    deleted = [
        await doors.memory.profiles.delete_sentence(
            guild_id=guild_id, user_id=turn.message.user_id, sentence=sentence_id
        )
        for guild_id in profile_guild_ids(turn)
    ]
    text = DeskText.SENTENCE_DELETED if any(deleted) else DeskText.NO_SENTENCE
    return Said(say(text, turn.language))


async def switch(turn: FormTurn, doors: Doors, *, on: bool) -> Said:
    """Set whether anything is learned from what the visitor says."""
    switched = [
        await doors.memory.profiles.switch(guild_id=guild_id, user_id=turn.message.user_id, on=on)
        for guild_id in profile_guild_ids(turn)
    ]
    if not any(switched):
        return Said(say(DeskText.NOT_HEARD_YET, turn.language))
    return Said(say(DeskText.LEARNING_ON if on else DeskText.LEARNING_OFF, turn.language))
