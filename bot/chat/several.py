"""Several commands in one message, with one answer to all of them; and those that are asked about before."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.chat.incoming import WRITES, Route
from bot.chat.turn import Turn
from bot.memory.outbox.answers import WrittenAnswer, in_one_write
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.outbox.standing import Standing
from bot.text.commands import Forget, Parsed, Remember, Remind

_FIRST: Final = (Route.OWN_RIGHTS, Route.FORGET)
"""The way of an answer to several commands is that of one of these, if there is one: it may follow no edit."""

_TAKES_AWAY: Final = (*_FIRST, Route.CORRECT)


def ask_whether(turn: Turn, part: Parsed) -> WrittenAnswer:
    """Ask whether what was understood, but is not sure, is what the asker wants."""
    match part.command:
        case Remember(statement):
            asked = turn.say("chat.shall_i_remember", statement=statement)
            return _asked(turn, Route.REMEMBER, asked, part.text)
        case Forget(statement):
            return _asked(turn, Route.FORGET, turn.say("chat.shall_i_forget", statement=statement), part.text)
        case _:
            return _asked(turn, Route.CORRECT, turn.say("chat.shall_i", order=part.text), part.text)


async def offer_note(turn: Turn, command: Remind) -> WrittenAnswer:
    """Say that nobody is reminded of anything, and offer to keep it instead."""
    text = turn.say("chat.no_reminders", order=command.note)
    return _asked(turn, Route.REMEMBER, text, command.note)


def _asked(turn: Turn, route: Route, text: str, command: str) -> WrittenAnswer:
    question = OpenQuestion(text=command, replied_to_id=turn.message.reply_to_id)
    return WrittenAnswer(route=route, parts=(text,), question=question)


def in_which_order(routes: Sequence[str]) -> list[int]:
    """Return the places of several commands in the order in which they are answered.

    What only reads comes behind the last that takes something away: it must not tell once more what that takes.
    """
    last = max((place for place, route in enumerate(routes) if route in _TAKES_AWAY), default=-1)
    return sorted(range(len(routes)), key=lambda place: place < last and routes[place] not in WRITES)


def together(answers: Sequence[WrittenAnswer], waiting: Sequence[Parsed]) -> WrittenAnswer:
    """Return one answer that says, does and asks what these do, with the commands that wait for what it asks.

    What they write is written in one transaction; what is refused of it does not undo the rest.
    """
    if all(answer.deferred is None for answer in answers):
        return _joined(answers, waiting)

    written = in_one_write(answers)
    return WrittenAnswer(
        route=_route_of(answers),
        deferred=written.then(lambda done: _joined(done, waiting)),
        read_before=_read_before(answers),
    )


def _joined(answers: Sequence[WrittenAnswer], waiting: Sequence[Parsed]) -> WrittenAnswer:
    question = next((answer.question for answer in answers if answer.question), None)
    if question is not None:
        then = tuple((part.text, part.sure) for part in waiting)
        question = question.model_copy(update={"then": then})
    return replace(
        WrittenAnswer(route=_route_of(answers), question=question),
        parts=tuple(part for answer in answers for part in answer.parts),
        fact_ids=_each(answer.fact_ids for answer in answers),
        memory_ids=_each(answer.memory_ids for answer in answers),
        quoted_ids=_each(answer.quoted_ids for answer in answers),
        episode_ids=_each(answer.episode_ids for answer in answers),
        degraded=any(answer.degraded for answer in answers),
        forgot=any(answer.forgot for answer in answers),
        read_before=_read_before(answers),
    )


def _read_before(answers: Sequence[WrittenAnswer]) -> Standing:
    return Standing.of_all([answer.standing for answer in answers])


def _each(ids: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(one for some in ids for one in some))


def _route_of(answers: Sequence[WrittenAnswer]) -> str:
    routes = [answer.route for answer in answers]
    return next((route for route in _FIRST if route in routes), routes[0])
