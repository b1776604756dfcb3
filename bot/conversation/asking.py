"""Answering "what do you know about ..." from the database."""

from collections.abc import Sequence

from bot.conversation import names
from bot.conversation.commands import AskMemory
from bot.conversation.grammar.words import means_the_bot
from bot.conversation.having_written import own_latest, where_written
from bot.conversation.router import Route
from bot.conversation.tact import Tact, tact_of
from bot.conversation.telling_places import place_line, places_of
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, Fact, Message, mention_of
from bot.memory.answering import WrittenAnswer
from bot.memory.forgetting import facts_that_say
from bot.memory.place_facts import RememberedPlace
from bot.memory.telling_others import Discretion


async def ask_memory(turn: Turn, command: AskMemory, doors: Doors) -> WrittenAnswer:
    """Tell every fact that this place may see about somebody, about the guild, or about a word.

    What was said until now is read for facts first, as far as that takes no longer than anybody would wait.
    """
    await doors.noticed(turn.message)
    if command.about is None:
        return await _about(turn, GUILD_SUBJECT, doors)
    if means_the_bot(command.about):
        return WrittenAnswer(route=Route.ASK_MEMORY, parts=(turn.say(Text.ABOUT_THE_BOT),))
    resolved = names.resolve(command.about, members=turn.members, author_id=turn.message.user_id)
    match resolved:
        case names.Ambiguous(candidates):
            return turn.ask_which(Route.ASK_MEMORY, candidates)
        case names.Found(user_id):
            if user_id == turn.bot_id:
                return WrittenAnswer(route=Route.ASK_MEMORY, parts=(turn.say(Text.ABOUT_THE_BOT),))
            return await _about(turn, user_id, doors)
        case names.Unknown():
            tact = await tact_of(turn, doors)
            known = tact.facts(await doors.library.all_facts(turn.view, asker_id=turn.message.user_id))
            found = facts_that_say(command.about, known, author_id=turn.message.user_id)
            if not found:
                return turn.unknown(Route.ASK_MEMORY, resolved)
            return _told(turn, turn.say(Text.KNOWN_ABOUT_WORDS, words=command.about), found)


async def ask_about(
    turn: Turn, subject_ids: Sequence[int], question: str, doors: Doors
) -> WrittenAnswer | None:
    """Tell what is known about one subject, or the facts that `question` is about; `None` if there are none."""
    asker_id = turn.message.user_id
    if len(subject_ids) == 1:
        return await _about(turn, subject_ids[0], doors)
    tact = await tact_of(turn, doors)
    if subject_ids:
        known = await doors.library.facts_about_each(subject_ids, turn.view, asker_id=asker_id)
    else:
        known = facts_that_say(
            question, await doors.library.all_facts(turn.view, asker_id=asker_id), author_id=asker_id
        )
    known = tact.facts(known)
    return _told(turn, turn.say(Text.KNOWN_ABOUT_WORDS, words=question), known) if known else None


async def _about(turn: Turn, subject_id: int, doors: Doors) -> WrittenAnswer:
    tact = await tact_of(turn, doors)
    if tact.about(subject_id) is Discretion.NOTHING:
        return WrittenAnswer(route=Route.ASK_MEMORY, parts=(not_told(turn, subject_id),))
    known = await known_about(tact, subject_id, doors)
    if subject_id == GUILD_SUBJECT:
        if not known:
            return WrittenAnswer(route=Route.ASK_MEMORY, parts=(turn.say(Text.NOTHING_KNOWN_GUILD),))
        return _told(turn, turn.say(Text.KNOWN_ABOUT_GUILD), known)
    name = mention_of(subject_id)
    lately = await lately_of(tact, subject_id, doors)
    profile = await profile_of(turn, subject_id, doors)
    places = await told_places(tact, subject_id, doors)
    written = await written_by(turn, subject_id, doors)
    if known or lately or profile:
        header = turn.say(Text.KNOWN_ABOUT, name=name)
        return _told(turn, header, known, places=places, lately=lately, profile=profile, written=written)
    latest: list[Message] = []
    if subject_id == turn.message.user_id:
        written, latest = await own_latest(turn, doors)
    return WrittenAnswer(
        route=Route.ASK_MEMORY,
        parts=("\n".join([turn.say(Text.NOTHING_KNOWN, name=name), *written]),),
        quoted_ids=tuple(message.message_id for message in latest),
    )


async def written_by(turn: Turn, subject_id: int, doors: Doors) -> list[str]:
    """Return how much somebody else wrote, and where; of the asker, who knows it, nothing."""
    return [] if subject_id == turn.message.user_id else await where_written(turn, subject_id, doors)


def not_told(turn: Turn, subject_id: int) -> str:
    """Return what is said in the place of all that is known about somebody of whom nothing is told."""
    return turn.say(Text.TOLD_TO_NOBODY, name=mention_of(subject_id))


async def known_about(tact: Tact, subject_id: int, doors: Doors) -> list[Fact]:
    """Return the facts about somebody that are told to who asks, important and new first."""
    turn = tact.turn
    return tact.facts(await doors.library.facts_about(subject_id, turn.view, asker_id=turn.message.user_id))


async def told_places(tact: Tact, subject_id: int, doors: Doors) -> list[RememberedPlace]:
    """Return the places of somebody that are told to who asks."""
    return [place for place in await places_of(tact.turn, subject_id, doors) if tact.facts([place.fact])]


async def lately_of(tact: Tact, subject_id: int, doors: Doors) -> str:
    """Return what the current day and the week before it say about somebody, as far as it is told here.

    To others nothing but what a model told of it: else it is what somebody wrote, word for word.
    """
    turn = tact.turn
    if not turn.view.audiences:
        return ""
    told = await doors.memory.get_memories_of(
        turn.message.guild_id, [subject_id], audience=turn.message.audience
    )
    if subject_id not in told:
        return ""
    is_own = subject_id == turn.message.user_id
    return tact.text(subject_id, told[subject_id].lately if is_own else told[subject_id].lately_unquoted)


def profile_guild_ids(turn: Turn) -> Sequence[int]:
    """Return the guilds whose profile of the asker may be told here: in a direct message those that both share."""
    if not turn.view.audiences:
        return ()
    return turn.view.own_guild_ids or (turn.view.guild_id,)


async def profile_of(turn: Turn, subject_id: int, doors: Doors) -> str:
    """Return what was learned of somebody, for themselves alone; it may be empty."""
    if subject_id != turn.message.user_id:
        return ""
    told = await doors.memory.profiles.own(guild_ids=profile_guild_ids(turn), user_id=subject_id)
    return "\n".join(told[guild_id] for guild_id in sorted(told))


def _told(
    turn: Turn,
    header: str,
    known: list[Fact],
    *,
    places: Sequence[RememberedPlace] = (),
    lately: str = "",
    profile: str = "",
    written: Sequence[str] = (),
) -> WrittenAnswer:
    told_below = {place.fact.key for place in places}
    lines = [header, *(turn.told(fact) for fact in known if fact.key not in told_below)]
    if places:
        lines += [turn.say(Text.PLACES), *(f"- {place_line(place, turn.language)}" for place in places)]
    if lately:
        lines += [turn.say(Text.LATELY), lately]
    if profile:
        lines += [turn.say(Text.LEARNED), profile]
    lines += written
    return WrittenAnswer(
        route=Route.ASK_MEMORY,
        parts=("\n".join(lines),),
        memory_ids=tuple(fact.fact_id for fact in known),
    )
