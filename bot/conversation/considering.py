"""What is kept about nobody on another's word: insults, accusations and sensitive matters.

What is refused is kept nowhere, so the command that said it loses its text in the log too.
"""

from collections.abc import Sequence
from typing import Final

from bot.conversation import names
from bot.conversation.refusing import RefusalText
from bot.conversation.router import Route
from bot.conversation.texts import say
from bot.conversation.turn import Doors, Turn
from bot.language.operation import Asker, Operations, Patience
from bot.memory.answering import WrittenAnswer
from bot.memory.decency import Verdict, Wanted, verdict_on
from bot.memory.forgetting import Reach

_SAID: Final = {
    Verdict.INSULT: RefusalText.UNKIND,
    Verdict.ACCUSATION: RefusalText.UNKIND,
    Verdict.SENSITIVE: RefusalText.SENSITIVE,
}


def wanted(turn: Turn, *, subject_id: int, statement: str, speaker_id: int | None = None) -> Wanted:
    """Return what the author of `turn` wants kept; in whose words, if not in their own, says `speaker_id`."""
    author_id = turn.message.user_id
    return Wanted(
        statement=names.with_mentions(statement, turn.members),
        author_id=author_id,
        speaker_id=author_id if speaker_id is None else speaker_id,
        subject_id=subject_id,
        bot_id=turn.bot_id,
    )


async def verdict(turn: Turn, statements: Sequence[Wanted], operations: Operations) -> Verdict:
    """Return what is wrong with the first of these statements that must not be kept, `FINE` if all may."""
    asker = Asker(guild_id=turn.message.guild_id, user_id=turn.message.user_id, patience=Patience.FOREGROUND)
    for one in statements:
        found = await verdict_on(operations, one, asker=asker)
        if found is not Verdict.FINE:
            return found
    return Verdict.FINE


async def refused(
    turn: Turn,
    statements: Sequence[Wanted],
    doors: Doors,
    operations: Operations,
    *,
    route: str = Route.REMEMBER,
    said_here: bool = True,
) -> WrittenAnswer | None:
    """Return what is said instead of keeping these statements; `None` where they may be kept.

    If the command itself says them (`said_here`), its text is withheld then; other messages stay as they are.
    """
    found = await verdict(turn, statements, operations)
    if found is Verdict.FINE:
        return None
    message = turn.message
    answer = WrittenAnswer(route=route, parts=(say(_SAID[found], turn.language),))
    if not turn.is_message or not said_here:
        return answer
    withholding = [Reach(guild_id=message.guild_id, message_ids=[message.message_id])]
    return WrittenAnswer(route=route, deferred=doors.memory.forgetting(withholding).then(lambda _: answer))
