"""The scene in which the router is tested: what was said before, what is known, and how a model is scripted."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.chat.intents import ModelCommand, routed_command
from bot.chat.router import ROUTE, Routed, RouteGiven, route_given
from bot.chat.turn import Turn
from bot.core.domain import Fact, Member, Message, MessageKind
from bot.llm.operation import Operations, Outcome
from bot.memory.policy.permissions import scope_of
from tests.chat.members import ALICE, BOB, MARTIN, MASHA, MEMBERS, Met
from tests.chat.router_cases import Case
from tests.memory.known import fact
from tests.scripted_models import ScriptedModels

BOT_ID = 77
NOON = datetime(2026, 3, 6, 12, tzinfo=UTC)
WHO = {"alice": ALICE, "bob": BOB, "masha": MASHA, "martin": MARTIN}
FLIGHT = fact(31, "<@2> flies on Monday", subject_id=2, author_id=1)
OF_MARTIN = fact(32, "<@12> plays the cello", subject_id=12, author_id=12)
OWN = fact(33, "<@1> hates olives", subject_id=1, author_id=1)


def message(message_id: int, author_id: int, text: str, *, reply_to_id: int | None = None) -> Message:
    return Message(
        guild_id=9,
        channel_id=5,
        message_id=message_id,
        user_id=author_id,
        text=text,
        timestamp=NOON + timedelta(minutes=message_id - 200),
        reply_to_id=reply_to_id,
        kind=MessageKind.BOT if author_id == BOT_ID else MessageKind.MEMBER,
    )


BEFORE = (
    message(101, BOB.user_id, "je pars lundi pour Rome"),
    message(102, MASHA.user_id, "у меня аллергия на орехи"),
    message(103, MARTIN.user_id, "movie night is on Friday"),
    message(104, BOT_ID, "Remembered: Bob flies on Monday."),
)


def turn_of(
    text: str, *, replied_to: Message | None = None, everyone: tuple[Member, ...] = tuple(MEMBERS)
) -> Turn:
    said = message(200, ALICE.user_id, text, reply_to_id=replied_to.message_id if replied_to else None)
    return Turn(
        message=said,
        text=text,
        bot_id=BOT_ID,
        bot_names=("Bot", "Бот"),
        known=Met(everyone),
        set_aside=frozenset(),
        view=scope_of(guild_id=9, channel_audience=0),
        time_zone="UTC",
        from_moderator=False,
        direct=False,
        replied_to=replied_to,
    )


def given_of(
    text: str,
    *,
    reply_to: str | None = None,
    before: tuple[Message, ...] = BEFORE,
    facts: tuple[Fact, ...] = (FLIGHT, OF_MARTIN, OWN),
) -> RouteGiven:
    """Return what is decided from when Alice says `text`, in reply to what `reply_to` said before."""
    replied_to = next((one for one in before if reply_to and one.user_id == WHO[reply_to].user_id), None)
    turn = turn_of(text, replied_to=replied_to)
    return route_given(turn, recent=before, facts=facts, last_written=[FLIGHT.fact_id])


async def understood(given: RouteGiven, said: Mapping[str, object]) -> Outcome[Routed]:
    """Return what comes of an answer of the model, in which `{bob}` is Bob's short id and `{mbob}` his message's."""
    names = {name: given.users.short(who.user_id) for name, who in WHO.items() if who in given.members}
    names |= {
        f"m{name}": given.messages.short(one.message_id)
        for name, who in WHO.items()
        for one in given.earlier
        if one.user_id == who.user_id
    }
    return await Operations(ScriptedModels(route=filled(said, names))).run(ROUTE, given)


async def carried_out(given: RouteGiven, said: Mapping[str, object]) -> ModelCommand:
    """Return what is carried out when the model is sure of `said`."""
    outcome = await understood(given, {"confident": True, **said})
    return routed_command(outcome.value, given)


def given_in(case: Case) -> RouteGiven:
    return given_of(case.text, reply_to=case.reply_to)


def filled(said: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    return {key: _filled(value, names) for key, value in said.items()}


def _filled(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, str):
        for name, short in names.items():
            value = value.replace(f"{{{name}}}", short)
        return value
    if isinstance(value, Mapping):
        return filled(value, names)
    if isinstance(value, list):
        return [_filled(one, names) for one in value]
    return value


def with_long_ids(text: str) -> str:
    """Return a text of a case as it is stored."""
    for name, who in WHO.items():
        text = text.replace(f"@{{{name}}}", f"<@{who.user_id}>")
    return text


def renamed(member: Member, name: str) -> Member:
    return replace(member, nickname=name)
