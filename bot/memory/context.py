"""The context: what is known of a member, what they do today and what the week was like, as one text."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.language import framing
from bot.language.local_mentions import shortened
from bot.language.operation import Asker, Operation, Operations, Role
from bot.language.tokens import estimated_tokens
from bot.memory.sensitive import without_sensitive
from bot.memory.telling_each import Members, Telling, Texts, Told, checked, fallen_back, tell_each

CONTEXT_CHARACTERS: Final = 800
"""What one member takes of a prompt."""

LONGEST_CONTEXT: Final = 2 * CONTEXT_CHARACTERS
"""A model that writes more has not merged."""

_TAGS_TOKENS: Final = 40


@dataclass(frozen=True, slots=True)
class Sources:
    """What a context is made from; an empty text is a source that knows nothing."""

    user_id: int
    facts: str
    current: str
    """The summary of the current day."""
    historical: str

    @property
    def texts(self) -> tuple[str, ...]:
        """What there is, in the order of its weight: facts, today, the days before."""
        return tuple(text for text in (self.facts, self.current, self.historical) if text)


Contexts = Members[Sources]
"""What the operation is given."""


def joined(sources: Sources) -> str:
    """Return the sources one below the other, facts first: the context that needs no model."""
    return "\n".join(sources.texts)


def needs_a_merge(sources: Sources) -> bool:
    """Tell whether there is more than one source: a single one is the context as it is."""
    return len(sources.texts) > 1


def sources_hash(sources: Sources) -> str:
    """Return what addresses the context of these sources: it changes with any of the three."""
    parts = (sources.facts, sources.current, sources.historical)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _frame(given: Contexts) -> Mapping[str, object]:
    return {
        "members": framing.lines(
            framing.tag(
                "member",
                framing.lines(
                    framing.tag(name, shortened(text, given.users))
                    for name, text in (
                        ("facts", member.facts),
                        ("today", member.current),
                        ("week", member.historical),
                    )
                    if text
                ),
                id=given.users.short(member.user_id),
            )
            for member in given.members
        ),
        "characters": CONTEXT_CHARACTERS,
    }


MERGE_CONTEXT: Final[Operation[Contexts, Texts]] = Operation(
    name="merge_context",
    role=Role.MEMORY,
    answer=Texts,
    frame=_frame,
    check=checked(LONGEST_CONTEXT),
    fallback=fallen_back(joined),
)


def _tokens(sources: Sources) -> int:
    return _TAGS_TOKENS + sum(estimated_tokens(text) for text in sources.texts)


_TELLING: Final = Telling(operation=MERGE_CONTEXT, tokens=_tokens)


async def merge_contexts(
    operations: Operations, members: Sequence[Sources], *, guild_id: int
) -> dict[int, Told]:
    """Return the context of each member who has more than one source, in as few calls as they fit into.

    Of sensitive matters it tells what the facts say, which members asked to have remembered, and no more.
    """
    asked = [sources for sources in members if needs_a_merge(sources)]
    told = await tell_each(operations, _TELLING, asked, asker=Asker(guild_id=guild_id))
    facts = {sources.user_id: sources.facts for sources in asked}
    return {
        user_id: Told(without_sensitive(one.text, asked=facts[user_id]), one.degraded)
        for user_id, one in told.items()
    }
