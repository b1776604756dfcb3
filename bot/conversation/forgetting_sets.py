"""Carrying out "forget everything about X": what it would take is shown in numbers and asked about first."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.conversation import names
from bot.conversation.commands import ForgetEverything
from bot.conversation.forget_texts import ForgetText
from bot.conversation.forgetting_rights import (
    Rightful,
    author_ids_of,
    forget_facts,
    not_yours,
    nothing,
    others_stay,
    rightful,
    taken,
)
from bot.conversation.grammar.fact_kinds import kind_of
from bot.conversation.grammar.words import means_the_bot
from bot.conversation.router import Route
from bot.conversation.set_commands import ForgetKind
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.domain import Fact, FactStatus, mention_of
from bot.memory.answering import OpenQuestion, WrittenAnswer
from bot.memory.forgetting import facts_that_say


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a set of facts about somebody is."""

    user_id: int
    found: Rightful
    """What holds."""
    before: Rightful
    """What held once."""
    learned: bool = False
    """They have a profile that is theirs to have removed."""


async def ask_everything(turn: Turn, command: ForgetEverything, doors: Doors) -> WrittenAnswer:
    """Say what would go of all that is known about somebody, and ask; the asker's "yes" carries it out."""
    if means_the_bot(command.about):
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.ABOUT_THE_BOT),))
    user_id = _somebody(turn, command.about)
    if isinstance(user_id, WrittenAnswer):
        return user_id
    meant = await _everything(turn, user_id, doors)
    if not meant.found.may and not meant.learned:
        return not_yours(turn) if meant.found.others else nothing(turn)
    name = mention_of(user_id)
    # In whatever words it was asked, "yes" must find a command that is sure, and of no other namesake.
    again = turn.say(Text.EVERYTHING_COMMAND, name=name)
    if not meant.learned:
        return await _asked(turn, meant, again, doors)
    facts = turn.counted(len(meant.found.may), "fact")
    asked = turn.say(Text.CONFIRM_EVERYTHING_LEARNED, facts=facts, name=name)
    return _question(turn, [asked, *others_stay(turn, meant.found)], again)


async def forget_everything(turn: Turn, command: ForgetEverything, doors: Doors) -> WrittenAnswer:
    """Forget all that is known about somebody, after the asker said "yes"."""
    user_id = _somebody(turn, command.about)
    if isinstance(user_id, WrittenAnswer):
        return nothing(turn)
    meant = await _everything(turn, user_id, doors)
    answer = await _forgotten(turn, meant, doors)
    had_profile = meant.learned and await doors.memory.profiles.forget(
        guild_id=turn.message.guild_id, user_id=user_id
    )
    if had_profile and not meant.found.may:
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.PROFILE_FORGOTTEN),))
    return answer


async def ask_kind(turn: Turn, command: ForgetKind, doors: Doors) -> WrittenAnswer:
    """Say what would go of one kind of facts about somebody, and ask."""
    user_id = _somebody(turn, command.about)
    if isinstance(user_id, WrittenAnswer):
        return user_id
    meant = await _of_kind(turn, command, user_id, doors)
    if not meant.found.may:
        return not_yours(turn) if meant.found.others else nothing(turn)
    name, kind = mention_of(user_id), command.kind
    return await _asked(turn, meant, say(ForgetText.KIND_COMMAND, turn.language, name=name, kind=kind), doors)


async def forget_kind(turn: Turn, command: ForgetKind, doors: Doors) -> WrittenAnswer:
    """Forget one kind of facts about somebody, after the asker said "yes"."""
    user_id = _somebody(turn, command.about)
    if isinstance(user_id, WrittenAnswer):
        return nothing(turn)
    return await _forgotten(turn, await _of_kind(turn, command, user_id, doors), doors)


def _somebody(turn: Turn, about: str) -> int | WrittenAnswer:
    """Return whom `about` means, or what is said where that is nobody or several."""
    subject = names.resolve(about, members=turn.members, author_id=turn.message.user_id)
    match subject:
        case names.Found(user_id):
            return user_id
        case names.Ambiguous(candidates):
            return turn.ask_which(Route.FORGET, candidates)
        case names.Unknown():
            return turn.unknown(Route.FORGET, subject)


async def _everything(turn: Turn, user_id: int, doors: Doors) -> _Meant:
    asker_id = turn.message.user_id
    known, before = await _known(turn, user_id, doors)
    learned = user_id == asker_id and bool(
        await doors.memory.profiles.text_of(guild_id=turn.message.guild_id, user_id=asker_id)
    )
    return _Meant(user_id, rightful(turn, known), rightful(turn, before), learned)


async def _of_kind(turn: Turn, command: ForgetKind, user_id: int, doors: Doors) -> _Meant:
    """Return what is of a kind by its key or category, and what says so in its own words."""
    known, before = await _known(turn, user_id, doors)
    kind = kind_of(command.kind)
    by_words = {
        fact.fact_id
        for fact in facts_that_say(command.kind, [*known, *before], author_id=turn.message.user_id)
    }

    def meant(facts: Sequence[Fact]) -> Rightful:
        return rightful(
            turn,
            [fact for fact in facts if fact.fact_id in by_words or (kind is not None and kind.holds(fact))],
        )

    return _Meant(user_id, meant(known), meant(before))


async def _known(turn: Turn, user_id: int, doors: Doors) -> tuple[list[Fact], list[Fact]]:
    """Return what is known about somebody here, and what was known once."""
    await doors.noticed(turn.message)
    known = await doors.library.facts_about(user_id, turn.view, asker_id=turn.message.user_id)
    guild_id = turn.message.guild_id
    retired = await doors.memory.retired_facts(
        guild_id=guild_id, subject_id=user_id, audiences=turn.view.audiences
    )
    holding = {fact.fact_id for fact in known}
    before = await doors.memory.facts_with_ids(guild_id=guild_id, fact_ids=retired)
    return known, [
        fact for fact in before if fact.fact_id not in holding and fact.status is not FactStatus.FORGOTTEN
    ]


async def _asked(turn: Turn, meant: _Meant, again: str, doors: Doors) -> WrittenAnswer:
    """Ask whether a set of facts shall go, with the numbers of what that takes."""
    guild_id = turn.message.guild_id
    would = await doors.memory.forgettings.preview(
        guild_id=guild_id,
        fact_ids=[
            fact.fact_id for fact in (*meant.found.may, *meant.before.may) if fact.guild_id == guild_id
        ],
        author_ids=author_ids_of(turn, meant.found),
        audiences=turn.view.audiences,
    )
    asked = say(
        ForgetText.ASK_FACTS,
        turn.language,
        facts=turn.counted(len(meant.found.may), "fact"),
        name=mention_of(meant.user_id),
        messages=turn.counted(would.messages, "text of message"),
    )
    return _question(turn, [asked, *others_stay(turn, meant.found)], again)


async def _forgotten(turn: Turn, meant: _Meant, doors: Doors) -> WrittenAnswer:
    answer = await forget_facts(turn, [*meant.found.may, *meant.found.others], doors)
    if meant.found.may or meant.learned:
        # What held before is in no list that anybody saw, so it is in no number either.
        await taken(turn, meant.before, doors)
    return answer


def _question(turn: Turn, lines: Sequence[str], again: str) -> WrittenAnswer:
    question = OpenQuestion(text=again, replied_to_id=turn.message.reply_to_id)
    return WrittenAnswer(route=Route.FORGET, parts=("\n".join(lines),), question=question)
