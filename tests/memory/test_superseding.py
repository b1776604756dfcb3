"""What a merge retires and what it saves, through the whole memory and a real database."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Fact, FactStatus
from bot.core.errors import ModelError, ModelUnusableError
from bot.core.settings import Settings
from bot.db.jobs import Job
from bot.db.pool import Database
from bot.memory.facts import repository_narratives
from bot.memory.facts.narrative import Narrator
from bot.memory.facts.repository_narratives import Narrative
from tests.memory.facts.test_facts import contents, note
from tests.memory.needs import needs_over
from tests.scripted_models import ScriptedModels
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels()


@pytest.fixture
async def keepsake(database: Database, clock: SetClock, models: ScriptedModels) -> AsyncIterator[Keepsake]:
    async with assembled(Settings(_env_file=None), clock, database, models=models) as keepsake:
        yield keepsake


async def moved(keepsake: Keepsake, *statements: str) -> list[Fact]:
    """Remember one statement after the other, each told before the next."""
    ids = []
    for number, statement in enumerate(statements):
        stored = await keepsake.memory.remember(note(statement, message_id=100 + number))
        assert stored.fact_id is not None
        ids.append(stored.fact_id)
        await keepsake.work.idle()
    return await keepsake.memory.facts_with_ids(guild_id=1, fact_ids=ids)


def in_turn(*said: Mapping[str, object] | None) -> Callable[[str], Mapping[str, object] | None]:
    """Return a script that gives one answer after the other."""
    left = list(said)
    return lambda _: left.pop(0)


PARIS_TOLD: Mapping[str, object] = {"narrative": "@u1 trains in Paris."}
LYON_TOLD: Mapping[str, object] = {"narrative": "@u1 trains in Lyon.", "contradicted": ["f2"]}


async def test_exactly_what_is_contradicted_is_superseded_and_points_to_what_replaced_it(
    keepsake: Keepsake, models: ScriptedModels, database: Database
) -> None:
    models.script["merge_facts"] = in_turn(PARIS_TOLD, LYON_TOLD)
    old, new = await moved(keepsake, "I train in Paris", "I train in Lyon")
    assert (old.status, new.status, new.supersedes) == (
        FactStatus.SUPERSEDED,
        FactStatus.ACTIVE,
        old.fact_id,
    )
    assert await keepsake.memory.get_memories(1, 7) == "<@7> trains in Lyon."
    by = await database.read(
        lambda connection: connection.fetchval(
            "SELECT superseded_by FROM facts WHERE fact_id = $1", old.fact_id
        )
    )
    assert by == new.fact_id


async def test_taking_it_back_revives_all_that_it_contradicted(
    keepsake: Keepsake, models: ScriptedModels
) -> None:
    models.script["merge_facts"] = in_turn(
        {"narrative": "@u1 likes steak."},
        {"narrative": "@u1 likes steak and likes bacon."},
        {"narrative": "@u1 eats no meat.", "contradicted": ["f2", "f3"]},
        {"narrative": "@u1 likes steak and likes bacon."},
    )
    *_, last = await moved(keepsake, "I like steak", "I like bacon", "I eat no meat")
    assert await contents(keepsake) == ["<@7> eats no meat"]
    await keepsake.memory.take_back(guild_id=1, fact_ids=[last.fact_id])
    await keepsake.work.idle()
    assert await contents(keepsake) == ["<@7> likes bacon", "<@7> likes steak"]


async def test_forgetting_it_forgets_what_it_contradicted_too(
    keepsake: Keepsake, models: ScriptedModels
) -> None:
    models.script["merge_facts"] = in_turn(PARIS_TOLD, LYON_TOLD)
    old, new = await moved(keepsake, "I train in Paris", "I train in Lyon")
    await keepsake.memory.forget(guild_id=1, fact_ids=[new.fact_id])
    (old,) = await keepsake.memory.facts_with_ids(guild_id=1, fact_ids=[old.fact_id])
    assert (old.status, old.content) == (FactStatus.FORGOTTEN, "")


async def test_an_answer_that_names_what_was_not_offered_retires_nothing(
    keepsake: Keepsake, models: ScriptedModels
) -> None:
    models.script["merge_facts"] = in_turn(PARIS_TOLD, {**LYON_TOLD, "contradicted": ["f2", "f3"]})
    await moved(keepsake, "I train in Paris", "I train in Lyon")
    assert await contents(keepsake) == ["<@7> trains in Lyon", "<@7> trains in Paris"]
    told = await keepsake.memory.get_memories(1, 7)
    assert told is not None
    assert "Lyon" in told
    assert "Paris" in told, "what still holds is left out"


async def test_a_fact_that_is_forgotten_while_the_model_thinks_retires_nothing(
    database: Database, clock: SetClock, keepsake: Keepsake, models: ScriptedModels
) -> None:
    models.script["merge_facts"] = PARIS_TOLD
    await moved(keepsake, "I train in Paris")
    models.script["merge_facts"] = None
    (new,) = await moved(keepsake, "I train in Lyon")

    class Slow(ScriptedModels):
        async def ask(self, question):  # type: ignore[no-untyped-def]
            if not self.prompts:
                await keepsake.memory.forget(guild_id=1, fact_ids=[new.fact_id])
                self.script["merge_facts"] = in_turn(LYON_TOLD, PARIS_TOLD)
            return await super().ask(question)

    await Narrator(await needs_over(database, clock, Slow())).make(task())
    assert await contents(keepsake) == ["<@7> trains in Paris"]


def task() -> Job:
    return Job(guild_id=1, kind="narrative", work_key="7:0", wanted=1, attempts=1)


async def blob(database: Database) -> Narrative | None:
    return (
        await database.read(repository_narratives.narratives_of, guild_id=1, subject_ids=[7], audience=0)
    ).get(7)


@pytest.mark.parametrize("refused", [None, {"narrative": ""}, {"narrative": "I cannot help with that."}])
async def test_an_empty_or_refused_answer_never_replaces_a_good_one(
    keepsake: Keepsake, models: ScriptedModels, database: Database, refused: Mapping[str, object] | None
) -> None:
    models.script["merge_facts"] = in_turn(PARIS_TOLD, refused, refused)
    await moved(keepsake, "I train in Paris", "I like tea")
    kept = await blob(database)
    assert kept is not None
    assert (kept.memory_blob, kept.degraded) == ("<@7> trains in Paris.", False)
    told = await keepsake.memory.get_memories(1, 7)
    assert told is not None and "likes tea" in told, "what tells other facts is not served"


async def test_without_a_better_text_the_dated_sentences_stand_in_and_are_asked_for_again(
    database: Database, clock: SetClock, keepsake: Keepsake, models: ScriptedModels
) -> None:
    models.script["merge_facts"] = None
    await moved(keepsake, "I train in Paris")
    standing_in = await blob(database)
    assert standing_in is not None
    assert (standing_in.memory_blob, standing_in.degraded) == ("[2026-03-01] <@7> trains in Paris", True)
    waiting = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM work"))
    assert waiting == 1
    with pytest.raises(ModelError):
        await Narrator(await needs_over(database, clock, models)).make(task())
    clock.advance(timedelta(hours=1))
    models.script["merge_facts"] = PARIS_TOLD
    await Narrator(await needs_over(database, clock, models)).make(task())
    better = await blob(database)
    assert better is not None
    assert (better.memory_blob, better.degraded) == ("<@7> trains in Paris.", False)


async def test_facts_of_which_models_make_what_cannot_be_kept_are_asked_about_three_times(
    database: Database, clock: SetClock, keepsake: Keepsake, models: ScriptedModels
) -> None:
    models.script["merge_facts"] = None
    await moved(keepsake, "I train in Paris")

    class Unusable(ScriptedModels):
        async def ask(self, question):  # type: ignore[no-untyped-def]
            raise ModelUnusableError("every model told something else")

    narrator = Narrator(await needs_over(database, clock, Unusable()))
    for attempts in (1, 2):
        with pytest.raises(ModelError):
            await narrator.make(replace(task(), attempts=attempts))
    await narrator.make(replace(task(), attempts=3))
    kept = await blob(database)
    assert kept is not None and kept.memory_blob == "[2026-03-01] <@7> trains in Paris"
    with pytest.raises(ModelError):
        # Models that are away may be there the next time.
        await Narrator(await needs_over(database, clock, models)).make(replace(task(), attempts=9))


@pytest.mark.parametrize("model", ["gemma-3-27b-it", "gemma-4-31b-it"])
@pytest.mark.parametrize(
    ("fault", "left"),
    [
        (Fault.FENCED_JSON, ["<@7> trains in Lyon"]),
        (Fault.WRONG_IDS, ["<@7> trains in Lyon", "<@7> trains in Paris"]),
        (Fault.INJECTED, ["<@7> trains in Lyon", "<@7> trains in Paris"]),
        (Fault.BLOCKED_PROMPT, ["<@7> trains in Lyon", "<@7> trains in Paris"]),
    ],
)
async def test_over_the_wire_only_a_whole_and_right_answer_retires_anything(
    database: Database, clock: SetClock, model: str, fault: Fault, left: list[str]
) -> None:
    async with GeminiServer() as server:
        settings = Settings(
            _env_file=None,
            gemini_api_key="k",
            gemini_base_url=server.url,
            model_memory=model,
            model_chat=model,
        )
        async with assembled(settings, clock, database) as keepsake:
            server.answer("merge_facts", PARIS_TOLD)
            await moved(keepsake, "I train in Paris")
            server.answer("merge_facts", LYON_TOLD)
            server.fail(fault, operation="merge_facts")
            stored = await keepsake.memory.remember(note("I train in Lyon", message_id=110))
            assert stored.is_new
            await keepsake.work.idle()
            assert await contents(keepsake) == left
            told = await blob(database)
            assert told is not None
            assert "thief" not in told.memory_blob
