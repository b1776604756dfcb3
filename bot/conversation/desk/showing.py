"""Showing what is known about somebody, and offering of it what the visitor may have forgotten."""

from collections.abc import Sequence
from typing import Final

from bot.conversation import asking
from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.visit import Choice, Line, Shown
from bot.conversation.texts import Text
from bot.conversation.turn import Doors
from bot.domain import GUILD_SUBJECT, Fact, mention_of
from bot.memory.rights import may_forget

LONGEST_LABEL: Final = 100
"""Characters that Discord shows of one suggestion."""


async def show(turn: FormTurn, subject_id: int, doors: Doors) -> Shown:
    """Return what `turn` may see about a subject; with no facts the title says so, and what a member last said."""
    if subject_id == turn.bot_id:
        return Shown(turn.say(Text.ABOUT_THE_BOT))
    known = await doors.library.facts_about(subject_id, turn.view, asker_id=turn.message.user_id)
    if not known:
        answer = await asking.ask_about(turn, [subject_id], "", doors)
        return Shown(turn.rendered("\n".join(answer.parts)) if answer is not None else "")
    title = (
        turn.say(Text.KNOWN_ABOUT_GUILD)
        if subject_id == GUILD_SUBJECT
        else turn.say(Text.KNOWN_ABOUT, name=mention_of(subject_id))
    )
    lately = await asking.lately_of(turn, subject_id, doors)
    return Shown(
        turn.rendered(title),
        tuple(_line(turn, fact) for fact in known),
        lately=turn.rendered(f"{turn.say(Text.LATELY)}\n{lately}") if lately else "",
    )


async def choices(
    turn: FormTurn, subject_ids: Sequence[int], typed: str, doors: Doors, *, limit: int
) -> list[Choice]:
    """Return the facts about these subjects that the visitor may have forgotten and that hold all words `typed`."""
    known = await doors.library.facts_about_each(subject_ids, turn.view, asker_id=turn.message.user_id)
    wanted = typed.casefold().split()
    found: list[Choice] = []
    for fact in known:
        if len(found) == limit:
            break
        if not may_forget(fact, user_id=turn.message.user_id, from_moderator=turn.from_moderator):
            continue
        label = f"[{turn.day(fact.said_at)}] {' '.join(_line(turn, fact).text.split())}"
        if all(word in label.casefold() for word in wanted):
            found.append(Choice(fact.fact_id, _clipped(label)))
    return found


def _line(turn: FormTurn, fact: Fact) -> Line:
    content = fact.content
    if fact.author_id != fact.subject_id or fact.subject_id == GUILD_SUBJECT:
        content = turn.say(Text.SAYS, teller=mention_of(fact.author_id), content=content)
    was_said = fact.source_message_id != 0
    return Line(
        text=turn.rendered(content),
        said_at=fact.said_at,
        fact_id=fact.fact_id,
        guild_id=fact.guild_id,
        channel_id=fact.source_channel_id if was_said else 0,
        message_id=fact.source_message_id,
    )


def _clipped(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1].rstrip() + "…"
