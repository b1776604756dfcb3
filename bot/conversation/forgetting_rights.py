"""Forgetting as far as it is the asker's right: facts that are somebody else's to forget stay, and that is said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.conversation import refusing
from bot.conversation.forget_texts import ForgetText
from bot.conversation.router import Route
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.domain import OPEN, Fact
from bot.memory import rights
from bot.memory.answering import WrittenAnswer
from bot.memory.forgetting import Forgotten, Part, Reach


@dataclass(frozen=True, slots=True)
class Rightful:
    """Facts by whose they are to forget."""

    own: tuple[Fact, ...] = ()
    """All messages that say these lose their text, whoever wrote them."""
    told: tuple[Fact, ...] = ()
    """Of these, which the asker told of others, only the asker's own messages, and those that they came from."""
    others: tuple[Fact, ...] = ()
    """Not the asker's to forget."""

    @property
    def may(self) -> tuple[Fact, ...]:
        """What the asker may have forgotten."""
        return (*self.own, *self.told)


def rightful(turn: Turn, known: Sequence[Fact]) -> Rightful:
    """Return `known` by whose they are to forget, for who asks in `turn`."""
    asker_id = turn.message.user_id
    may = {
        fact.fact_id
        for fact in known
        if rights.may_forget(turn.guild, fact, user_id=asker_id, from_moderator=turn.from_moderator)
    }
    own = {fact.fact_id for fact in known if turn.from_moderator or fact.subject_id == asker_id}
    return Rightful(
        own=tuple(fact for fact in known if fact.fact_id in may & own),
        told=tuple(fact for fact in known if fact.fact_id in may - own),
        others=tuple(fact for fact in known if fact.fact_id not in may),
    )


def reaches_of(
    turn: Turn,
    found: Rightful,
    *,
    also: Sequence[int] = (),
    parts: Mapping[int, Part] | None = None,
    statement: str = "",
) -> list[Reach]:
    """Return all that one order takes: what the asker may have forgotten of `found`, the messages `also`, itself."""
    message = turn.message
    reaches = [
        Reach(
            guild_id=guild_id,
            fact_ids=[fact.fact_id for fact in facts if fact.guild_id == guild_id],
            author_ids=author_ids,
            audiences=turn.view.audiences if guild_id == message.guild_id else [OPEN],
            parts=parts or {},
            statement=statement,
            by=turn.by,
        )
        for facts, author_ids in ((found.own, None), (found.told, [message.user_id]))
        for guild_id in sorted({fact.guild_id for fact in facts})
    ]
    if also or found.may:
        own = Reach(
            guild_id=message.guild_id,
            message_ids=[message.message_id, *also],
            audiences=turn.view.audiences,
            by=turn.by,
        )
        reaches.append(own)
    return reaches


def forget_facts(
    turn: Turn,
    known: Sequence[Fact],
    doors: Doors,
    *,
    also: Sequence[int] = (),
    parts: Mapping[int, Part] | None = None,
    statement: str = "",
) -> WrittenAnswer:
    """Return the order to forget `known`, of facts in `parts` that part, with the messages `also` and the command.

    `statement` is what was asked for, where it says just what the facts say. All of it is one write, which goes with
    the answer: how many facts went, or how many messages lost their text, and how many facts are somebody else's.
    """
    found = rightful(turn, known)
    if not found.may and not also:
        return nothing(turn) if not found.others else not_yours(turn)

    def told(gone: Forgotten) -> WrittenAnswer:
        if not gone.facts and not also:
            return nothing(turn)
        return forgotten(turn, found, facts=gone.facts, messages=len(also))

    reaches = reaches_of(turn, found, also=also, parts=parts, statement=statement)
    return WrittenAnswer(route=Route.FORGET, deferred=doors.memory.forgetting(reaches).then(told))


def forgotten(turn: Turn, found: Rightful, *, facts: int, messages: int = 0) -> WrittenAnswer:
    """Say how many facts went, else how many messages lost their text, and what stays."""
    if facts:
        said = turn.say(Text.FORGOTTEN, facts=turn.counted(facts, "fact"))
    else:
        said = turn.say(Text.WORDS_FORGOTTEN, messages=turn.counted(messages, "text of message"))
    return WrittenAnswer(
        route=Route.FORGET, parts=("\n".join([said, *others_stay(turn, found)]),), forgot=True
    )


def others_stay(turn: Turn, found: Rightful) -> list[str]:
    """Return the sentence that facts stay which are somebody else's to forget, if there are any."""
    if not found.others:
        return []
    number = turn.counted(len(found.others), "fact")
    return [say(ForgetText.OTHERS_STAY, turn.language, facts=number)]


def author_ids_of(turn: Turn, found: Rightful) -> Sequence[int] | None:
    """Return whose messages may lose their text for `found` as a whole; `None`: whoever wrote them."""
    return [turn.message.user_id] if found.told and not found.own else None


def nothing(turn: Turn) -> WrittenAnswer:
    """Say that nothing says that."""
    return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.NOTHING_TO_FORGET),))


def not_yours(turn: Turn) -> WrittenAnswer:
    """Say that it is somebody else's to forget."""
    return WrittenAnswer(
        route=Route.FORGET, parts=(refusing.not_yours(turn.guild, turn.language, ForgetText.NOT_YOURS),)
    )
