"""What the grammar is not sure of, with a model's help: what is asked for is carried out by code, or it is chat.

The model that routes and the memories that a reply needs are waited for side by side.
"""

import asyncio
import time
from dataclasses import replace
from typing import Final, assert_never

from bot.conversation import asking, correcting, forgetting, forgetting_sets, remembering, reply, searching
from bot.conversation.commands import ForgetEverything, ForgetThis, Search
from bot.conversation.gathering import READING_SECONDS, gather
from bot.conversation.reading_turns import CONNECTIONS
from bot.conversation.replying import ReplyGiven
from bot.conversation.routed import (
    AskAbout,
    Chat,
    CorrectFact,
    ForgetMatching,
    ModelCommand,
    RememberFacts,
    Silence,
    TakeBackFacts,
    routed_command,
)
from bot.conversation.router import Route
from bot.conversation.routing import RECENT_FACTS, RECENT_MESSAGES, ROUTE, RouteGiven, route_given
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT
from bot.errors import DatabaseError
from bot.memory.answering import WrittenAnswer

ANSWER_SECONDS: Final = 18.0
"""Real seconds for routing and reply together: nobody waits for more than 20 for a fallback."""

_LEAST_SECONDS: Final = 2.0
"""What is left to a reply when the routing has hung; a model that answers at all does so in this time or is slow."""


async def understood(turn: Turn, doors: Doors, mind: reply.Mind) -> WrittenAnswer:
    """Carry out what a model takes `turn` for, as far as code agrees, or reply to it."""
    began = time.monotonic()
    with doors.library.sharing(CONNECTIONS):
        command, scene = await asyncio.gather(_routed(turn, doors, mind), _scene(turn, doors, mind))
    mind = replace(mind, seconds=max(_LEAST_SECONDS, ANSWER_SECONDS - (time.monotonic() - began)))
    return await _carried_out(turn, command, doors, mind, scene)


async def rewritten(turn: Turn, doors: Doors, mind: reply.Mind) -> WrittenAnswer | None:
    """Carry out what a model takes an edited command for; `None` if it no longer asks to keep or correct anything."""
    match await _routed(turn, doors, mind):
        case RememberFacts(facts):
            return await remembering.remember_facts(turn, facts, doors, mind.operations)
        case CorrectFact(fact, subject_id, text):
            return await correcting.correct_fact(
                turn, fact, subject_id=subject_id, text=text, doors=doors, operations=mind.operations
            )
        case _:
            return None


async def chatted(turn: Turn, doors: Doors, mind: reply.Mind) -> WrittenAnswer:
    """Reply to `turn`, whatever it asks for: nothing is written on a bot's word."""
    if not mind.operations.has_models or not turn.text.strip():
        return WrittenAnswer(route=Route.NONE)
    with doors.library.sharing(CONNECTIONS):
        scene = await gather(turn, doors, now=mind.now, persona=turn.persona)
    return await _replied(turn, doors, mind, scene, may_keep=False)


async def _routed(turn: Turn, doors: Doors, mind: reply.Mind) -> ModelCommand:
    given = await _read(turn, doors)
    routed = await mind.operations.run(ROUTE, given, asker=reply.asker_of(turn))
    return routed_command(routed.value, given)


async def _carried_out(
    turn: Turn, command: ModelCommand, doors: Doors, mind: reply.Mind, scene: ReplyGiven
) -> WrittenAnswer:
    match command:
        case Chat():
            return await _replied(turn, doors, mind, scene)
        case Silence():
            return WrittenAnswer(route=Route.NONE)
        case RememberFacts(facts):
            return await remembering.remember_facts(turn, facts, doors, mind.operations)
        case ForgetThis():
            return await forgetting.forget_this(turn, command, doors)
        case ForgetEverything():
            return await forgetting_sets.ask_everything(turn, command, doors)
        case ForgetMatching(subject_ids, what):
            return await forgetting.forget_matching(turn, subject_ids, what, doors, mind)
        case CorrectFact(fact, subject_id, text):
            return await correcting.correct_fact(
                turn, fact, subject_id=subject_id, text=text, doors=doors, operations=mind.operations
            )
        case TakeBackFacts(fact_ids):
            return await correcting.take_back_facts(turn, fact_ids, doors)
        case AskAbout(subject_ids, question):
            told = await asking.ask_about(turn, subject_ids, question, doors)
            return told or await _replied(turn, doors, mind, scene)
        case Search():
            return await searching.search(turn, command, doors)
    assert_never(command)


async def _replied(
    turn: Turn, doors: Doors, mind: reply.Mind, scene: ReplyGiven, *, may_keep: bool = True
) -> WrittenAnswer:
    """Reply; if anything was forgotten meanwhile, a neutral sentence takes the place of what was thought out before."""
    answer = await reply.replied(turn, scene, doors, mind, may_keep=may_keep)
    guild = await doors.directory.guild(turn.message.guild_id)
    if guild is None or guild.memory_epoch == turn.memory_epoch:
        return answer
    neutral = WrittenAnswer(route=Route.CHAT, parts=(turn.say(Text.HEARD),), degraded=True)
    kept = await doors.memory.keeping.kept_by(turn.message, cause=turn.cause)
    return reply.with_kept(turn, neutral, kept)


async def _read(turn: Turn, doors: Doors) -> RouteGiven:
    """Return what the route is decided from; what was not read in time is left out, so nothing is written of it."""
    try:
        async with doors.reading.turn(), asyncio.timeout(READING_SECONDS):
            return await _read_all(turn, doors)
    except (TimeoutError, DatabaseError):
        return route_given(turn, recent=(), facts=(), last_written=())


async def _read_all(turn: Turn, doors: Doors) -> RouteGiven:
    """Return what was just said, and the facts that a correction may mean."""
    message = turn.message
    recent = await doors.library.latest_in_channel(message, limit=RECENT_MESSAGES)
    visible = [one for one in recent if turn.sees(one)]
    subject_ids = list(dict.fromkeys([message.user_id, GUILD_SUBJECT, *(one.user_id for one in visible)]))
    last = await doors.memory.answers.last_write(message, replied_to=turn.replied_to)
    written = last.fact_ids if last is not None else ()
    known = await doors.library.facts_about_each(subject_ids, turn.view, asker_id=message.user_id)
    facts = [fact for fact in known if fact.fact_id not in turn.undoes]
    listed = {fact.fact_id for fact in facts}
    facts += [
        fact
        for fact in await doors.memory.facts_with_ids(guild_id=message.guild_id, fact_ids=written)
        if fact.fact_id not in listed and fact.audience in turn.view.audiences
    ]
    newest = sorted(facts, key=lambda fact: (fact.fact_id in written, fact.said_at), reverse=True)
    return route_given(turn, recent=visible, facts=newest[: 2 * RECENT_FACTS], last_written=written)


async def _scene(turn: Turn, doors: Doors, mind: reply.Mind) -> ReplyGiven:
    fallback = await reply.without_model(turn, doors)
    return await gather(turn, doors, now=mind.now, persona=turn.persona, fallback_text=fallback)
