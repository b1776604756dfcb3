"""The context: what is known of a member, what they do today and what the week was like, as one text."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import mentioned_in, shortened
from bot.language.operation import Asker, Operation, Operations, Role
from bot.language.tokens import estimated_tokens
from bot.memory.telling_each import Telling, TextOf, Texts, Told, check_texts, tell_each

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


@dataclass(frozen=True)
class Contexts:
    """What the operation is given: the sources of some members."""

    members: Sequence[Sources]

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members, and of those mentioned."""
        users = LocalIds("u")
        for member in self.members:
            users.short(member.user_id)
        for member in self.members:
            for user_id in mentioned_in("\n".join(member.texts)):
                users.short(user_id)
        return users

    @cached_property
    def known(self) -> str:
        """All sources, as the prompt has them."""
        return shortened("\n".join(text for member in self.members for text in member.texts), self.users)


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


def _check(given: Contexts, answer: Texts) -> None:
    asked_ids = [member.user_id for member in given.members]
    check_texts(answer, given, asked_ids=asked_ids, longest=LONGEST_CONTEXT)


def _fallback(given: Contexts) -> Texts:
    return Texts(
        texts=[
            TextOf(member=given.users.short(member.user_id), text=shortened(joined(member), given.users))
            for member in given.members
        ]
    )


MERGE_CONTEXT: Final = Operation(
    name="merge_context",
    role=Role.MEMORY,
    answer=Texts,
    frame=_frame,
    check=_check,
    fallback=_fallback,
)


def _tokens(sources: Sources) -> int:
    return _TAGS_TOKENS + sum(estimated_tokens(text) for text in sources.texts)


_TELLING: Final = Telling(operation=MERGE_CONTEXT, given=Contexts, tokens=_tokens)


async def merge_contexts(
    operations: Operations, members: Sequence[Sources], *, guild_id: int
) -> dict[int, Told]:
    """Return the context of each member who has more than one source, in as few calls as they fit into."""
    asked = [sources for sources in members if needs_a_merge(sources)]
    return await tell_each(operations, _TELLING, asked, asker=Asker(guild_id=guild_id))
