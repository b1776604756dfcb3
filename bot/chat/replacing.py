"""Ask whether what somebody had remembered replaces what it is like, and let it do so."""

from collections.abc import Sequence
from dataclasses import replace

from bot.chat.incoming import Route
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import Fact
from bot.memory.facts.repository import NewFact
from bot.memory.facts.statements import Remembered, is_free_sentence
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.text.attributes import same_topic
from bot.text.tokens import negates


async def like_it(turn: Turn, facts: Sequence[NewFact], access: MemoryAccess) -> Fact | None:
    """Return what `turn` had remembered before of the same subject and topic as the one new fact, if that is one fact.

    What has a key of its own replaces what stands under it without being asked.
    """
    if len(facts) != 1 or not is_free_sentence(facts[0].key):
        return None
    (new,) = facts
    alike = [fact for fact in await _wanted(turn, new, access) if same_topic(new.content, fact.content)]
    return alike[0] if len(alike) == 1 else None


async def put_right_by(turn: Turn, new: NewFact, access: MemoryAccess, *, is_denial: bool) -> Fact | None:
    """Return what `turn` had remembered before that a new fact says otherwise, if that is one fact.

    It stands under the same key, or is what the new one negates. Where the sentence denies something by its first
    words, it may also be a free one that is like it.
    """
    is_free = is_free_sentence(new.key)
    wrong = [
        fact
        for fact in await _wanted(turn, new, access)
        if (not is_free and fact.key == new.key and fact.value != new.value)
        or negates(new.content, fact.content)
        or (is_free and is_denial and same_topic(new.content, fact.content))
    ]
    return wrong[0] if len(wrong) == 1 else None


async def _wanted(turn: Turn, new: NewFact, access: MemoryAccess) -> list[Fact]:
    """Return what `turn` had remembered before, or somebody of them, of the subject of a new fact."""
    known = await access.library.facts_about(new.subject_id, turn.view, asker_id=turn.message.user_id)
    return [
        fact
        for fact in known
        if fact.is_explicit
        and fact.guild_id == new.guild_id
        and fact.audience == new.audience
        and turn.message.user_id in (fact.author_id, fact.subject_id)
        and fact.content != new.content
        # What this very message said or ordered before it was edited goes anyhow.
        and fact.source_message_id != turn.message.message_id
        and fact.fact_id not in turn.undoes
    ]


def with_question(
    turn: Turn, answer: WrittenAnswer, stored: Sequence[Remembered], known: Fact
) -> WrittenAnswer:
    """Return the confirmation of what was stored with the question whether it replaces what was known."""
    if len(stored) != 1 or stored[0].fact_id is None or not stored[0].is_new or stored[0].outweighed_by:
        return answer
    question = OpenQuestion(text="", replaces=(known.fact_id, stored[0].fact_id))
    asked = turn.say("chat.does_it_replace", content=known.content)
    return replace(
        answer,
        parts=(*answer.parts, asked),
        memory_ids=(*answer.memory_ids, known.fact_id),
        question=question,
    )


async def settle(
    turn: Turn, replaced: tuple[int, int], *, agreed: bool, access: MemoryAccess
) -> WrittenAnswer:
    """Let the newer of two facts replace the older one, if the asker agreed, and say what holds."""
    if not agreed:
        return WrittenAnswer(route=Route.CORRECT, parts=(turn.say("chat.both_hold"),))
    older_id, newer_id = replaced

    def told(is_done: bool) -> WrittenAnswer:
        key = "chat.replaced" if is_done else "chat.holds_no_more"
        return WrittenAnswer(route=Route.CORRECT, parts=(turn.say(key),), fact_ids=(newer_id,))

    replacing = access.memory.replacing(guild_id=turn.message.guild_id, older_id=older_id, newer_id=newer_id)
    return WrittenAnswer(route=Route.CORRECT, deferred=replacing.then(told))
