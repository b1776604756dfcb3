"""What is known of members as text: read again only where the facts or their narrative have changed."""

from collections.abc import Mapping, Sequence
from typing import Final

from cachetools import LRUCache

from bot.domain import Fact
from bot.memory import facts as fact_rules
from bot.memory.memories.state import State
from bot.memory.sensitive import may_be_told, without_sensitive
from bot.memory.telling import for_prompt
from bot.store import facts, known
from bot.store.database import Connection, Database
from bot.store.narratives import Narrative

CACHED: Final = 20_000
"""Texts kept: of 2,000 characters at most, usually a tenth."""


class FactsTexts:
    """The facts of members as texts, by version."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts: LRUCache[tuple[int, int, int], tuple[str, str]] = LRUCache(CACHED)

    async def of(self, state: State, *, audience: int, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what is known of each of these members in one audience; of whom nothing is, is left out."""
        guild_id = state.situation.guild_id
        versions = {
            user_id: version
            for user_id in user_ids
            if (version := state.versions.get((user_id, audience))) is not None
        }
        told: dict[int, str] = {}
        for user_id, version in versions.items():
            cached = self._texts.get((guild_id, audience, user_id))
            if cached is not None and cached[0] == version:
                told[user_id] = cached[1]
        missing = [user_id for user_id in versions if user_id not in told]
        if missing:
            for user_id, text in (await self._read(state, audience, missing)).items():
                self._texts[guild_id, audience, user_id] = (versions[user_id], text)
                told[user_id] = text
        return told

    def drop(self, guild_id: int) -> None:
        """Let go of the texts of a guild that are held in the process."""
        for key in [key for key in self._texts if key[0] == guild_id]:
            del self._texts[key]

    async def _read(self, state: State, audience: int, user_ids: Sequence[int]) -> Mapping[int, str]:
        guild_id = state.situation.guild_id

        async def read(connection: Connection) -> tuple[list[Fact], Mapping[int, Narrative]]:
            held = await facts.active(
                connection,
                guild_ids=[guild_id],
                audiences=[audience],
                subject_ids=user_ids,
                now=state.situation.now,
            )
            return held, await known.narratives_of(
                connection, guild_id=guild_id, audience=audience, subject_ids=user_ids
            )

        held, narratives = await self._database.read(read)
        by_subject: dict[int, list[Fact]] = {}
        for fact in held:
            by_subject.setdefault(fact.subject_id, []).append(fact)
        return {subject_id: _text(own, narratives.get(subject_id)) for subject_id, own in by_subject.items()}


def _text(held: Sequence[Fact], narrative: Narrative | None) -> str:
    """Return the narrative of the explicit facts if it tells them as they are, and what else may be told."""
    held = [fact for fact in held if may_be_told(fact)]
    explicit = [fact for fact in held if fact.is_explicit]
    learned = [fact for fact in held if not fact.is_explicit]
    is_current = narrative is not None and narrative.facts_version == fact_rules.version_of(explicit)
    if narrative is None or not is_current or narrative.degraded:
        return for_prompt(None, held)
    told = without_sensitive(narrative.memory_blob, asked="\n".join(fact.content for fact in explicit))
    return "\n".join(text for text in (for_prompt(told, explicit), for_prompt(None, learned)) if text)
