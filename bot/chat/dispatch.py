"""Dispatch a turn to the handler of its command, found by grammar or router, else to a reply.

`HANDLERS` is the table of commands in words: which way each goes, and what carries it out. A command is a type: of
`bot.text.commands` where a grammar finds it, of `bot.chat.intents` where a model proposes it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeAlias, TypeVar

from bot.chat import (
    answering,
    asking,
    correcting,
    digest,
    forgetting,
    forgetting_sets,
    own_rights,
    personas,
    privacy,
    questions,
    remembering,
    replacing,
    reply,
    searching,
    several,
    sources,
)
from bot.chat.disclosure import disclosure_of
from bot.chat.gathering import gather
from bot.chat.incoming import WRITES, Route
from bot.chat.intents import (
    AskAbout,
    Chat,
    CorrectFact,
    ForgetMatching,
    InstructBot,
    ModelCommand,
    RememberFacts,
    Silence,
    TakeBackFacts,
    may_be_order,
    may_correct_last_write,
    routed_command,
)
from bot.chat.own_rights import OwnRightsAnswer
from bot.chat.remembering import NOT_KEPT, NotKept, why_not_kept
from bot.chat.reply import ReplyContext
from bot.chat.router import RECENT_FACTS, RECENT_MESSAGES, ROUTE, RouteGiven, route_given
from bot.chat.turn import CONNECTIONS, READING_SECONDS, MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT
from bot.core.errors import DatabaseError, KeepsakeError
from bot.llm.operation import Operations
from bot.memory.outbox.answers import WrittenAnswer
from bot.text import commands
from bot.text.bot_orders import asks_to_erase, instructs_bot
from bot.text.commands import Command, Parsed
from bot.text.grammar import parser
from bot.text.grammar.understanding import asks, is_joke, starts_like_order
from bot.text.orders import asks_to_list
from bot.text.questions import question_of
from bot.text.sentences import Key

C = TypeVar("C")

CarryOut: TypeAlias = Callable[[Turn, C, MemoryAccess, ReplyContext], Awaitable[WrittenAnswer]]


@dataclass(frozen=True, slots=True)
class Handler(Generic[C]):
    """One kind of command."""

    kind: type[C]
    route: Route
    carry_out: CarryOut[C]
    agreed: Callable[[Turn, C, MemoryAccess], Awaitable[WrittenAnswer]] | None = None
    """What is done once the asker said yes, where `carry_out` asks first."""
    follows_edits: bool = False
    """It is carried out again when its message is edited."""


def _alone(act: Callable[[Turn, C, MemoryAccess], Awaitable[WrittenAnswer]]) -> CarryOut[C]:
    """Return what carries out a command without a model."""
    return lambda turn, command, access, _: act(turn, command, access)


def _thinking(
    act: Callable[[Turn, C, MemoryAccess, Operations], Awaitable[WrittenAnswer]],
) -> CarryOut[C]:
    """Return what carries out a command and may ask models."""
    return lambda turn, command, access, context: act(turn, command, access, context.operations)


def _of_oneself(
    act: Callable[[Turn, MemoryAccess], Awaitable[OwnRightsAnswer]], offer: Key | None = None
) -> CarryOut[Any]:
    """Return what carries out a command about the asker's own memory; `offer` says what "yes" does after it."""
    return lambda turn, _, access, __: own_rights.in_words(turn, act(turn, access), offer=offer)


async def _reply(turn: Turn, _: Chat, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer:
    """Reply to `turn` from what is read now."""
    with access.library.sharing(CONNECTIONS):
        scene = await gather(turn, access, now=context.now, search_words=context.search_words)
    return await reply.reply_with_model(turn, scene, access, context)


async def _ask_about(
    turn: Turn, command: AskAbout, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Tell all that is known where that is asked for, else reply."""
    if not asks_to_list(turn.text):
        return await _reply(turn, Chat(), access, context)
    told = await asking.ask_about(turn, command.subject_ids, command.question, access)
    return told or await _reply(turn, Chat(), access, context)


async def _ask_memory(
    turn: Turn, command: commands.AskMemory, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Tell what is known; what is nobody's name and of which nothing is known is a topic to talk about."""
    told = await asking.ask_memory(turn, command, access)
    if not told.unknown_name or command.about is None:
        return told
    if not context.operations.has_models:
        return asking.nothing_known_of(turn, command.about) or told
    if turn.seeks:
        # Somebody whom only the face knows may bear the name.
        return replace(told, parts=())
    return await answer_by_model(turn, access, context)


async def _ask_fact(
    turn: Turn, command: commands.AskFact, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Tell what surely answers a question; else a model replies, or one sentence says that it is not known."""
    has_models = context.operations.has_models
    if told := await answering.answer_question(turn, command, access, has_models=has_models):
        return told
    if has_models:
        return await answer_by_model(turn, access, context)
    return await reply.reply_without_model(turn, access)


async def _search(
    turn: Turn, command: commands.Search, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Reply to a question from what is found; list that where a list was asked for, or no model answers."""
    if context.operations.has_models and asks(turn.text):
        answer = await _reply(turn, Chat(), access, context)
        if not answer.degraded or answer.fact_ids:
            return answer
    return await searching.search(turn, command, access)


async def _say_nothing(*_: object) -> WrittenAnswer:
    return WrittenAnswer(route=Route.NONE)


HANDLERS: Final[tuple[Handler[Any], ...]] = (
    Handler(commands.AskHelp, Route.CHAT, lambda turn, *_: reply.answer_help(turn)),
    Handler(commands.Remember, Route.REMEMBER, _thinking(remembering.remember), follows_edits=True),
    Handler(commands.RememberThis, Route.REMEMBER, _thinking(remembering.remember_this), follows_edits=True),
    Handler(commands.Remind, Route.CHAT, lambda turn, command, *_: several.offer_note(turn, command)),
    Handler(RememberFacts, Route.REMEMBER, _thinking(remembering.remember_facts), follows_edits=True),
    Handler(commands.Forget, Route.FORGET, forgetting.forget, agreed=forgetting.forget_sayings),
    Handler(commands.ForgetThis, Route.FORGET, _alone(forgetting.forget_this)),
    Handler(
        ForgetMatching,
        Route.FORGET,
        lambda turn, command, access, context: forgetting.forget_matching(
            turn, command.subject_ids, command.what, access, context
        ),
    ),
    Handler(
        commands.ForgetEverything,
        Route.FORGET,
        _alone(forgetting_sets.ask_everything),
        agreed=forgetting_sets.forget_set,
    ),
    Handler(
        commands.ForgetKind,
        Route.FORGET,
        _alone(forgetting_sets.ask_kind),
        agreed=forgetting_sets.forget_set,
    ),
    Handler(
        commands.ForgetSaid,
        Route.FORGET,
        _alone(forgetting_sets.ask_words),
        agreed=forgetting_sets.forget_words,
    ),
    Handler(commands.ReplaceValue, Route.CORRECT, _thinking(correcting.replace_value), follows_edits=True),
    Handler(commands.MoveSubject, Route.CORRECT, _thinking(correcting.move_subject), follows_edits=True),
    Handler(CorrectFact, Route.CORRECT, _thinking(correcting.correct_fact), follows_edits=True),
    Handler(
        commands.TakeBack,
        Route.CORRECT,
        _alone(correcting.take_back),
        agreed=correcting.take_back_last,
    ),
    Handler(TakeBackFacts, Route.CORRECT, _alone(correcting.take_back_facts)),
    Handler(commands.AskMemory, Route.ASK_MEMORY, _ask_memory),
    Handler(AskAbout, Route.ASK_MEMORY, _ask_about),
    Handler(commands.AskFact, Route.ASK_MEMORY, _ask_fact),
    Handler(commands.Search, Route.SEARCH, _search),
    Handler(commands.AskCatchUp, Route.CATCH_UP, _alone(digest.answer_digest)),
    Handler(commands.AskWhy, Route.WHY, _alone(lambda turn, _, access: sources.answer_why(turn, access))),
    Handler(
        commands.AskFigures,
        Route.ASK_MEMORY,
        _alone(lambda turn, _, access: asking.answer_figures(turn, access)),
    ),
    Handler(
        commands.AskPrivacy,
        Route.PRIVACY,
        lambda turn, _, __, context: privacy.answer_privacy(turn, context.practice),
    ),
    Handler(commands.KeepNothingHere, Route.PRIVACY, lambda turn, *_: privacy.answer_keep_nothing_here(turn)),
    Handler(
        commands.StopRemembering,
        Route.OWN_RIGHTS,
        _of_oneself(own_rights.stop_remembering, offer="rights.offer_to_erase"),
    ),
    Handler(commands.RememberAgain, Route.OWN_RIGHTS, _of_oneself(own_rights.remember_again)),
    Handler(
        commands.BePrivate,
        Route.OWN_RIGHTS,
        lambda turn, command, access, _: own_rights.in_words(
            turn, own_rights.be_private(turn, access, private=command.private)
        ),
    ),
    Handler(
        commands.ChooseCategory,
        Route.OWN_RIGHTS,
        lambda turn, command, access, _: own_rights.in_words(
            turn, own_rights.choose_categories(turn, access, [command])
        ),
    ),
    Handler(commands.TellCategories, Route.OWN_RIGHTS, _of_oneself(own_rights.choose_categories)),
    Handler(commands.ExportMine, Route.OWN_RIGHTS, _of_oneself(own_rights.hand_over)),
    Handler(
        commands.EraseMine,
        Route.OWN_RIGHTS,
        _of_oneself(own_rights.ask_to_erase, offer="rights.say_yes"),
        agreed=lambda turn, _, access: own_rights.in_words(turn, own_rights.erase_own(turn, access)),
    ),
    Handler(
        InstructBot,
        Route.REMEMBER,
        lambda turn, _, access, context: personas.ask_whether(turn, access, context),
        agreed=lambda turn, _, access: personas.take(turn, access),
    ),
    Handler(Chat, Route.CHAT, _reply),
    Handler(Silence, Route.NONE, _say_nothing),
)
"""All of them."""

_BY_KIND: Final[Mapping[type, Handler[Any]]] = {handler.kind: handler for handler in HANDLERS}


def handler_of(command: Command | ModelCommand) -> Handler[Any]:
    """Return the entry of a command's kind."""
    return _BY_KIND[type(command)]


def route_of(command: Command | InstructBot | None) -> Route:
    """Return the way of a command; what the grammar is not sure of is chat, never a write."""
    return Route.CHAT if command is None else handler_of(command).route


def routes_of(parts: Sequence[Parsed]) -> frozenset[Route]:
    """Return the ways of those commands of a message that are sure."""
    return frozenset(route_of(part.command) for part in parts if part.sure)


ANSWER_SECONDS: Final = 18.0
"""Real seconds for routing and reply together: nobody waits for more than 20 for a fallback."""

_LEAST_SECONDS: Final = 2.0
"""What is left to a reply when the routing has hung; a model that answers at all does so in this time or is slow."""


_MOST_OF_IT: Final = 0.8
"""So much of a message is the order in it; one amid talk may be said to somebody else."""


async def answer_by_model(turn: Turn, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer:
    """Reply to `turn`; where it may order something a model is asked first what it wants, and code may agree."""
    if not await _may_be_routed(turn, access):
        return await _reply(turn, Chat(), access, context)
    began = time.monotonic()
    command, words = await _routed(turn, access, context)
    if _is_asked_back(turn, command):
        return several.ask_whether(turn, turn.parts[0])
    left = max(_LEAST_SECONDS, ANSWER_SECONDS - (time.monotonic() - began))
    return await _carried_out(
        turn, command or Chat(), access, replace(context, seconds=left, search_words=words)
    )


def _is_asked_back(turn: Turn, command: ModelCommand | None) -> bool:
    """Tell whether a doubtful command is asked about: no model says what it is, or one takes an order for chat."""
    if not turn.parts or turn.parts[0].sure:
        return False
    if command is None:
        return True
    order = turn.parts[0].text
    is_whole = len(order) >= _MOST_OF_IT * len(turn.text)
    return isinstance(command, Chat) and is_whole and starts_like_order(order) and not is_joke(turn.text)


async def _may_be_routed(turn: Turn, access: MemoryAccess) -> bool:
    """Tell whether what a model says of `turn` could be carried out as anything else than a reply."""
    if may_be_order(turn):
        return True
    if not may_correct_last_write(turn):
        return False
    try:
        async with asyncio.timeout(READING_SECONDS):
            return (
                await access.memory.answers.last_write(turn.message, replied_to=turn.replied_to) is not None
            )
    except (TimeoutError, DatabaseError):
        # Without the facts of that write nothing is corrected.
        return False


async def rewrite_by_router(turn: Turn, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer | None:
    """Carry out what a model takes an edited command for; `None` if it no longer asks to keep or correct anything."""
    command, _ = await _routed(turn, access, context)
    if command is None or not handler_of(command).follows_edits:
        return None
    return await _carried_out(turn, command, access, context)


async def chat_only(turn: Turn, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer:
    """Reply to `turn`, whatever it asks for: nothing is written on a bot's word."""
    if not context.operations.has_models or not turn.text.strip():
        return WrittenAnswer(route=Route.NONE)
    with access.library.sharing(CONNECTIONS):
        scene = await gather(turn, access, now=context.now)
    return await reply.reply_with_model(turn, scene, access, context, to_bot=True)


async def _routed(
    turn: Turn, access: MemoryAccess, context: ReplyContext
) -> tuple[ModelCommand | None, tuple[str, ...]]:
    """Return what a model takes `turn` for, `None` if none answered, and its words to search by."""
    given = await _read(turn, access)
    routed = await context.operations.run(ROUTE, given, asker=reply.asker_of(turn))
    if routed.model is None:
        return None, ()
    # A model may call somebody otherwise than those did whom it read.
    await turn.known.meet(*routed.value.texts, seconds=READING_SECONDS)
    return routed_command(routed.value, given), routed.value.search_words


async def _read(turn: Turn, access: MemoryAccess) -> RouteGiven:
    """Return what the route is decided from; what was not read in time is left out, so nothing is written of it."""
    try:
        async with access.reading.turn(), asyncio.timeout(READING_SECONDS):
            return await _read_all(turn, access)
    except (TimeoutError, DatabaseError):
        return route_given(turn, recent=(), facts=(), last_written=())


async def _read_all(turn: Turn, access: MemoryAccess) -> RouteGiven:
    """Return what was just said, and the facts that a correction may mean."""
    message = turn.message
    recent = await access.library.latest_in_channel(message, limit=RECENT_MESSAGES)
    visible = [one for one in recent if turn.sees(one)]
    subject_ids = list(dict.fromkeys([message.user_id, GUILD_SUBJECT, *(one.user_id for one in visible)]))
    await turn.known.meet(
        *(one.text for one in visible), user_ids=[one.user_id for one in visible], seconds=READING_SECONDS / 4
    )
    last = await access.memory.answers.last_write(message, replied_to=turn.replied_to)
    written = last.fact_ids if last is not None else ()
    known = await access.library.facts_about_each(subject_ids, turn.view, asker_id=message.user_id)
    facts = [fact for fact in known if fact.fact_id not in turn.undoes]
    listed = {fact.fact_id for fact in facts}
    further = [fact_id for fact_id in written if fact_id not in listed]
    if further:
        known = await access.memory.facts_with_ids(guild_id=message.guild_id, fact_ids=further)
        facts += [fact for fact in known if fact.audience in turn.view.audiences]
    # What a model takes for meant is answered by whether the asker may change it: so would be what they are not told.
    told = (await disclosure_of(turn, access)).facts(facts)
    newest = sorted(told, key=lambda fact: (fact.fact_id in written, fact.said_at), reverse=True)
    return route_given(turn, recent=visible, facts=newest[: 2 * RECENT_FACTS], last_written=written)


A = TypeVar("A", bound=WrittenAnswer | None)


@dataclass(frozen=True, slots=True)
class SettledQuestion:
    """A turn that waited for an answer to the bot's question, as it goes on now."""

    turn: Turn
    agreed: bool | None
    """What was said to a question of yes or no."""
    fact_id: int | None = None
    """The fact that was chosen of several."""
    replaces: tuple[int, int] | None = None
    """The older fact and the newer one of which that was asked."""
    then: tuple[Parsed, ...] = ()
    """Further commands that waited with it."""
    forgotten_ids: tuple[int, ...] = ()
    """The facts that were chosen to be forgotten."""


async def answer_turn(
    turn: Turn, settled: SettledQuestion | None, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Return the answer to `turn`, or to the turn that it settled.

    What it says was done has been done, or is deferred in it.
    """
    if settled is not None and settled.fact_id is not None:
        settling = questions.settle_contradiction(turn, settled.fact_id, access)
        return await _or_refused(turn, Route.CORRECT, settling)
    if settled is not None and settled.replaces is not None:
        return await replacing.settle(turn, settled.replaces, agreed=settled.agreed is True, access=access)
    if settled is not None:
        turn = settled.turn
    if settled is None and _are_several(turn, context):
        return await _each_answered(turn, [], turn.parts, access, context)
    if turn.command is not None and turn.parts[0].text != turn.text:
        # Whatever is asked back waits as what was understood, not as it was misspelt.
        turn = turn.of_part(turn.parts[0], 0)
    command = await command_of(turn, access)
    if settled is not None and settled.forgotten_ids:
        answering = forgetting.forget_chosen(turn, settled.forgotten_ids, access)
    elif settled is None or settled.agreed is None:
        answering = _answered(turn, command, access, context)
    else:
        answering = _agreed(turn, command, access, context) if settled.agreed else _kept(turn, command)
    answer = await _or_refused(turn, route_of(command), answering)
    if settled is None or not settled.then:
        return answer
    return await _each_answered(turn, [answer], settled.then, access, context)


def _are_several(turn: Turn, context: ReplyContext) -> bool:
    """Tell whether a message gives several commands; where none of them is sure a model is asked first."""
    return len(turn.parts) > 1 and (
        not context.operations.has_models or any(part.sure for part in turn.parts)
    )


async def _each_answered(
    turn: Turn,
    answers: list[WrittenAnswer],
    parts: Sequence[Parsed],
    access: MemoryAccess,
    context: ReplyContext,
) -> WrittenAnswer:
    """Return one answer to several commands, below those of `answers`, which are of the same message.

    One question is asked at a time: what asks after the first that does waits until that is settled. What only reads
    is read when what was ordered before it has been written, and when whatever is to be forgotten is.
    """
    waiting: list[Parsed] = []
    written, guild_id = access.memory.answers, turn.message.guild_id
    done = {
        place: await written.as_it_stands(one, guild_id=guild_id)
        for place, one in context.carried_out.items()
    }
    said = {**dict(enumerate(answers)), **done}
    # What one of them says stands below what the others say.
    context = replace(context, streamed=None)
    forgets = any(route_of(part.command) is Route.FORGET for part in parts)
    for number in several.in_which_order([route_of(part.command) for part in parts]):
        part, place = parts[number], len(answers) + number
        if place in done:
            continue
        own = replace(turn.of_part(part, place), forgets=forgets)
        route = route_of(part.command)
        if route not in WRITES:
            for before in [at for at, one in said.items() if one.deferred is not None]:
                said[before] = await written.carry_out(said[before], guild_id=guild_id)
                context.carried_out[before] = said[before]
        if part.sure:
            answer = await _or_refused(own, route, _carried_out(own, part.command, access, context))
        else:
            answer = several.ask_whether(own, part)
        if answer.question and any(one.question for one in said.values()):
            waiting.append(part)
        else:
            said[place] = answer
    return several.together([said[place] for place in sorted(said)], waiting)


async def rewrite_edited(turn: Turn, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer | None:
    """Return the answer to a command that was edited; `None` if it no longer asks to keep or correct anything."""
    following = [part for part in turn.parts if part.sure and handler_of(part.command).follows_edits]
    if len(turn.parts) > 1 and following:
        return await _each_answered(turn, [], following, access, context)
    command = await command_of(turn, access)
    if command is None and context.operations.has_models and turn.text.strip():
        answering = rewrite_by_router(turn, access, context)
    elif command is not None and handler_of(command).follows_edits:
        answering = _carried_out(turn, command, access, context)
    else:
        return None
    return await _or_refused(turn, route_of(command), answering)


async def _agreed(
    turn: Turn, command: Command | InstructBot | None, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Carry out what the bot had asked about, since the asker said yes."""
    agreed = None if command is None else handler_of(command).agreed
    return await (agreed(turn, command, access) if agreed else _answered(turn, command, access, context))


async def _kept(turn: Turn, command: Command | InstructBot | None) -> WrittenAnswer:
    """Say that nothing is changed, since the asker said no."""
    route = route_of(command)
    if route is Route.REMEMBER:
        text = turn.say("chat.left")
    else:
        asks = route in {Route.CHAT, Route.ASK_MEMORY}
        text = turn.say("chat.left_alone" if asks else "chat.kept")
    return WrittenAnswer(route=route, parts=(text,))


async def _or_refused(turn: Turn, route: str, answering: Awaitable[A]) -> A | WrittenAnswer:
    """Return an answer, or why nothing is kept, whether that comes out now or when it is carried out."""
    try:
        answer = await answering
    except NOT_KEPT as error:
        return _refused(turn, route, error)
    if answer is None or answer.deferred is None:
        return answer

    def refused(error: KeepsakeError) -> WrittenAnswer | None:
        return _refused(turn, route, error) if isinstance(error, NOT_KEPT) else None

    return replace(answer, deferred=replace(answer.deferred, refused=refused))


async def command_of(turn: Turn, access: MemoryAccess) -> Command | InstructBot | None:
    """Return the command that `turn` clearly gives."""
    return turn.command or _said_abroad(turn) or await _correction(turn, access)


def _said_abroad(turn: Turn) -> Command | InstructBot | None:
    """Return the command that can be nothing else in any language, though no grammar knows it."""
    if turn.parts:
        return None
    if asks_to_erase(turn.text):
        return commands.EraseMine()
    return InstructBot() if instructs_bot(turn.text) else None


def _refused(turn: Turn, route: str, error: NotKept) -> WrittenAnswer:
    return WrittenAnswer(route=route, parts=(why_not_kept(turn, error),))


async def _correction(turn: Turn, access: MemoryAccess) -> Command | None:
    """Return the correction that a reply to the confirmation of a write may well be, or a value said after one."""
    told = turn.replied_to
    if told is not None and (told.user_id != turn.bot_id or told.reply_to_id is None):
        return None
    command = parser.parse_reply(turn.text, to_confirmation=told is not None)
    if command is None:
        return None
    if told is None or told.reply_to_id is None:
        answered = await access.memory.answers.last_write(turn.message, replied_to=None)
    else:
        answered = await access.memory.answers.to_message(
            guild_id=turn.message.guild_id, message_id=told.reply_to_id
        )
    return command if answered is not None and answered.fact_ids else None


async def _answered(
    turn: Turn, command: Command | InstructBot | None, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Carry out the command that the words clearly give, else ask the router, else say what works without one."""
    if command is None and not turn.parts:
        command = question_of(turn.text)
    if command is not None:
        return await _carried_out(turn, command, access, context)
    if not turn.parts and (told := await correcting.restate(turn, access, context.operations)):
        return told
    if context.operations.has_models and turn.text.strip():
        return await answer_by_model(turn, access, context)
    if turn.parts:
        return several.ask_whether(turn, turn.parts[0])
    return await reply.reply_without_model(turn, access)


async def _carried_out(
    turn: Turn, command: Command | ModelCommand, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    return await handler_of(command).carry_out(turn, command, access, context)
