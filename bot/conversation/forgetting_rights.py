"""Forgetting as far as it is the asker's right: facts that are somebody else's to forget stay, and that is said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.choices import ForgettingOthers
from bot.conversation import refusing
from bot.conversation.forget_texts import ForgetText
from bot.conversation.router import Route
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, OPEN, Fact
from bot.memory import phrasing, rights
from bot.memory.answering import WrittenAnswer
from bot.memory.forgetting import DatedWords, Forgotten, Part, Reach


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
    words: Sequence[DatedWords] = (),
) -> list[Reach]:
    """Return all that one order takes: what the asker may have forgotten of `found`, the messages `also`, itself.

    Its `words` are known again where they were said before and are read later.
    """
    message = turn.message
    reaches = [
        Reach(
            guild_id=guild_id,
            fact_ids=[fact.fact_id for fact in facts if fact.guild_id == guild_id],
            author_ids=author_ids,
            audiences=turn.view.audiences if guild_id == message.guild_id else [OPEN],
            parts=parts or {},
            statement=statement,
            asked_at=turn.asked_at,
            by=turn.by,
        )
        for facts, author_ids in ((found.own, None), (found.told, [message.user_id]))
        for guild_id in sorted({fact.guild_id for fact in facts})
    ]
    takes_any = bool(also or found.may)
    if not takes_any and not words:
        return reaches
    # Where nothing is known yet, the order would be all that is left of what it says.
    is_taken = turn.is_message and (takes_any or turn.is_behind)
    own = Reach(
        guild_id=message.guild_id,
        message_ids=[*([message.message_id] if is_taken else []), *also],
        audiences=turn.view.audiences,
        words=words,
        asked_at=turn.asked_at,
        by=turn.by if takes_any else None,
    )
    return [*reaches, own]


def dated(turn: Turn, subject_ids: Sequence[int], text: str) -> list[DatedWords]:
    """Return what an order says about these subjects in its own words, as far as it is the asker's to forget.

    About others that is what the asker tells of them. Without a text it is all that is told.
    """
    asker_id, guild = turn.message.user_id, turn.guild
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    told_by = {
        subject_id: None if subject_id == asker_id or turn.from_moderator else asker_id
        for subject_id in subject_ids
        if turn.from_moderator or tellers_may or subject_id in {asker_id, GUILD_SUBJECT}
    }
    if text:
        # In other words of the asker's it may be about nobody: "the boats in the harbour are mine".
        told_by.setdefault(GUILD_SUBJECT, asker_id)
    # "I own a boat" and "owns a boat" have other words for a search.
    wordings = dict.fromkeys([text, phrasing.third_person(text, author_id=asker_id)])
    return [
        DatedWords(subject_id=subject_id, author_id=author_id, text=said)
        for subject_id, author_id in told_by.items()
        for said in wordings
    ]


def forget_facts(
    turn: Turn,
    known: Sequence[Fact],
    doors: Doors,
    *,
    also: Sequence[int] = (),
    parts: Mapping[int, Part] | None = None,
    statement: str = "",
    words: Sequence[DatedWords] = (),
) -> WrittenAnswer:
    """Return the order to forget `known`, of facts in `parts` that part, with the messages `also` and the command.

    `statement` is what was asked for, where it says just what the facts say. All of it is one write, which goes with
    the answer: how many facts went, or how many messages lost their text, and how many facts are somebody else's.
    """
    found = rightful(turn, known)
    in_vain = nothing(turn) if not found.others else not_yours(turn)
    reaches = reaches_of(turn, found, also=also, parts=parts, statement=statement, words=words)
    if not reaches:
        return in_vain

    def told(gone: Forgotten) -> WrittenAnswer:
        if not gone.facts and not also:
            return in_vain
        return forgotten(turn, found, facts=gone.facts, messages=len(also))

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
