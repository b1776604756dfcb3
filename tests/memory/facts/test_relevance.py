"""Which facts a reply is given: who somebody is, what they prefer, and what the message is about."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import FactCategory, FactOrigin, Guild, Member, Message, snowflake_at
from bot.db.pool import Connection, Database
from bot.memory.facts.relevance import OF_THE_ASKER, OF_THE_CLOSE, Acquaintance, Relevant
from bot.memory.facts.repository import NewFact
from bot.memory.policy.permissions import ReadScope
from tests.memory.living import BOB, CHANNEL_ID, GUILD_ID, SELF, learn

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
MODS = 99
OPENLY = ReadScope(guild_id=GUILD_ID, audiences=(0,))


class Shelf:
    """Facts of one guild, each told in a message of its own, an hour after the one before."""

    def __init__(self, keepsake: Keepsake, database: Database, clock: SetClock) -> None:
        self.keepsake = keepsake
        self.database = database
        self.clock = clock
        self._told = 0

    def fact(self, content: str, **changes: object) -> NewFact:
        """Return a fact that is learned about SELF, from SELF."""
        self._told += 1
        plain = NewFact(
            guild_id=GUILD_ID,
            subject_id=SELF,
            audience=0,
            category=FactCategory.FACT,
            key=f"note:{self._told:016x}",
            value=content,
            content=f"<@{SELF}> {content}",
            raw_content=content,
            importance=60,
            confidence=1.0,
            origin=FactOrigin.PATTERN,
            author_id=SELF,
            source_channel_id=CHANNEL_ID,
            source_message_id=self._told,
            cause=f"m:{self._told}",
            said_at=NOW - timedelta(days=60) + timedelta(hours=self._told),
        )
        return replace(plain, **changes)  # type: ignore[arg-type]

    async def put(self, *given: NewFact) -> None:
        """Take in facts, and the messages that told them."""
        said = [
            Message(
                guild_id=GUILD_ID,
                channel_id=one.audience or CHANNEL_ID,
                message_id=one.source_message_id,
                user_id=one.author_id,
                audience=one.audience,
                text=one.raw_content or "…",
                timestamp=one.said_at,
            )
            for one in given
        ]
        await self.keepsake.memory.ingest_messages(said)
        await learn(self.database, *given, now=self.clock.now())

    async def about(
        self,
        text: str,
        *,
        user_ids: Sequence[int] = (SELF,),
        close_ids: Sequence[int] = (),
        view: ReadScope = OPENLY,
        asker_id: int = SELF,
    ) -> dict[int, Relevant]:
        """Return what a reply to `text` is given."""
        return await self.keepsake.memory.relevant(
            view=view, user_ids=user_ids, close_ids=close_ids, text=text, asker_id=asker_id
        )

    async def told(self, text: str, user_id: int = SELF, **where: object) -> list[str]:
        """Return the contents of the facts that are given about one member, without their name."""
        given = await self.about(text, **where)  # type: ignore[arg-type]
        return [one.content.partition("> ")[2] for one in given[user_id].facts]

    async def bearing(self, text: str, user_id: int = SELF, **where: object) -> list[str]:
        """Return those of them that have to do with `text`."""
        given = (await self.about(text, **where))[user_id]  # type: ignore[arg-type]
        return [one.content.partition("> ")[2] for one in given.facts if one.fact_id in given.bearing]


@pytest.fixture
async def shelf(keepsake: Keepsake, database: Database, clock: SetClock) -> Shelf:
    clock.set(NOW)
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=user_id, user_name=name)
            for user_id, name in ((SELF, "alice"), (BOB, "bob"))
        ]
    )
    return Shelf(keepsake, database, clock)


FOOD = ("likes pizza", "is allergic to peanuts", "любит борщ по воскресеньям")
WORK = ("works as an engineer", "has a strict boss", "starts a new project at the office")


@pytest.mark.parametrize("question", ["what should I eat tonight?", "что мне приготовить на ужин?"])
async def test_a_food_question_brings_the_food_facts_before_all_others(shelf: Shelf, question: str) -> None:
    await shelf.put(*[shelf.fact(content) for content in (*WORK, *FOOD, "plays chess")])
    assert sorted(await shelf.bearing(question)) == sorted(FOOD)
    assert sorted((await shelf.told(question))[:3]) == sorted(FOOD)
    assert sorted((await shelf.told("how is work?"))[:3]) == sorted(WORK)


async def test_what_shares_no_topic_with_the_message_is_given_of_those_whom_it_means(shelf: Shelf) -> None:
    await shelf.put(
        shelf.fact("sold the van"),
        replace(shelf.fact(""), subject_id=0, content="math is on the 16th of March"),
        replace(shelf.fact("dislikes red wine"), subject_id=BOB, content=f"<@{BOB}> dislikes red wine"),
        *[shelf.fact(f"studies page {number} for the exam") for number in range(4)],
    )
    assert (await shelf.about("when is my exam?"))[0].facts[0].content == "math is on the 16th of March"
    assert "sold the van" in await shelf.told("when is my exam?")
    asked = f"what do I cook for <@{BOB}>?"
    assert await shelf.told(asked, BOB, user_ids=[SELF, BOB], close_ids=[BOB]) == ["dislikes red wine"]


async def test_of_those_who_merely_sit_there_only_what_the_message_is_about_and_one_thing_more_is_given(
    shelf: Shelf,
) -> None:
    told = [f"<@{BOB}> keeps bee number {number}" for number in range(9)]
    pets = [f"<@{BOB}> owns a parrot", f"<@{BOB}> feeds the cat"]
    await shelf.put(
        *[replace(shelf.fact(""), subject_id=BOB, author_id=BOB, content=one) for one in (*told, *pets)]
    )
    sits = {"user_ids": [SELF, BOB]}
    assert sorted(await shelf.told("who has a parrot or a cat?", BOB, **sits)) == [
        "feeds the cat",
        "owns a parrot",
    ]
    assert len(await shelf.told("what a day", BOB, **sits)) == 1
    assert len(await shelf.told("what a day", BOB, **sits, close_ids=[BOB])) == 10


CARLA, DORA = 31, 32


async def test_whoever_is_named_by_what_fits_best_is_asked_about_as_well(shelf: Shelf) -> None:
    def about(user_id: int, content: str) -> NewFact:
        return replace(shelf.fact(content), subject_id=user_id, content=f"<@{user_id}> {content}")

    await shelf.put(
        about(BOB, f"has a sister, <@{CARLA}>"),
        about(BOB, f"plays chess with <@{DORA}>"),
        about(CARLA, "collects vinyl"),
        about(CARLA, "is allergic to lilies"),
        about(DORA, "collects stamps"),
        replace(shelf.fact(""), subject_id=0, audience=MODS, content=f"<@{CARLA}> is wanted"),
    )
    given = await shelf.about(
        "what should I bring to the birthday of Bob's sister?", user_ids=[SELF, BOB], close_ids=[BOB]
    )
    assert {one.value for one in given[CARLA].facts} == {"collects vinyl", "is allergic to lilies"}
    assert given[CARLA].bearing == {one.fact_id for one in given[CARLA].facts}
    assert DORA not in given


async def test_a_name_that_is_nobodys_leads_to_what_is_said_of_it(shelf: Shelf) -> None:
    key = "of:carla|note:1"
    of_name = replace(shelf.fact(""), subject_id=0, key=key, content="Carla collects vinyl", names=("Carla",))
    sister = replace(
        shelf.fact(""), subject_id=BOB, content=f"<@{BOB}> has a sister called Carla", names=("Carla",)
    )
    await shelf.put(sister, of_name)
    given = await shelf.about("what would Bob's sister like?", user_ids=[SELF, BOB], close_ids=[BOB])
    assert [one.content for one in given[0].facts] == ["Carla collects vinyl"]


async def test_a_fact_about_somebody_else_that_names_who_is_meant_is_given(shelf: Shelf) -> None:
    fact = replace(shelf.fact(""), subject_id=CARLA, content=f"<@{CARLA}> lends <@{BOB}> her boat")
    await shelf.put(fact)
    given = await shelf.about(f"what about <@{BOB}>?", user_ids=[SELF, BOB], close_ids=[BOB])
    assert [one.content for one in given[CARLA].facts] == [f"<@{CARLA}> lends <@{BOB}> her boat"]
    assert CARLA not in await shelf.about("what about the weather?", user_ids=[SELF])


async def test_what_shares_a_rare_word_comes_before_what_shares_a_common_one(shelf: Shelf) -> None:
    common = [shelf.fact(f"once told a story about number {number}", importance=90) for number in range(20)]
    await shelf.put(*common, shelf.fact("told Zorro everything", importance=10))
    told = await shelf.told("who told Zorro?")
    assert told[0] == "told Zorro everything"
    assert len(told) == OF_THE_ASKER


async def test_importance_and_freshness_decide_between_facts_that_fit_alike(shelf: Shelf) -> None:
    await shelf.put(
        shelf.fact("owns a red kayak", importance=30),
        shelf.fact("sold a blue kayak", importance=90),
        shelf.fact("lent a green kayak", importance=30, said_at=NOW - timedelta(days=2)),
    )
    assert await shelf.told("which kayak?") == [
        "sold a blue kayak",
        "lent a green kayak",
        "owns a red kayak",
    ]


async def test_a_message_about_nothing_known_brings_what_is_important(shelf: Shelf) -> None:
    await shelf.put(*[shelf.fact(f"fact number {number}", importance=number) for number in range(30, 50)])
    assert await shelf.told("hey there") == [f"fact number {number}" for number in range(49, 35, -1)]
    assert len(await shelf.told("hey there", asker_id=BOB)) == 1


async def test_name_pronouns_feeling_and_five_preferences_are_always_given(shelf: Shelf) -> None:
    likes = [
        shelf.fact(
            f"likes hobby{number}",
            key=f"likes:hobby{number}",
            category=FactCategory.PREFERENCE,
            importance=50 + number,
        )
        for number in range(8)
    ]
    await shelf.put(
        *likes,
        shelf.fact("is called Alicia", key="name", value="Alicia"),
        shelf.fact("goes by she/her", key="pronouns", value="she/her"),
        shelf.fact(
            "feels tired", key="feeling", category=FactCategory.FEELING, expires_at=NOW + timedelta(hours=6)
        ),
    )
    given = (await shelf.about("what about Tetris?"))[SELF]
    assert (given.given_name, given.pronouns, len(given.known_by)) == ("Alicia", "she/her", 2)
    assert [one.value for one in given.facts[:6]] == [
        "feels tired",
        *[f"likes hobby{number}" for number in (7, 6, 5, 4, 3)],
    ]
    others = (await shelf.about("what about Tetris?", user_ids=[BOB, SELF], asker_id=BOB))[SELF]
    assert others.given_name == "Alicia"
    assert [one.value for one in others.facts] == []


async def test_a_name_that_somebody_else_gives_is_no_given_name(shelf: Shelf) -> None:
    await shelf.put(shelf.fact("is called Muppet", key="name", value="Muppet", author_id=BOB))
    assert (await shelf.about("hello"))[SELF].given_name == ""


async def test_what_has_expired_is_given_no_more_from_that_second_on(shelf: Shelf) -> None:
    ends = NOW + timedelta(hours=1)
    await shelf.put(
        shelf.fact("feels tired", key="feeling", category=FactCategory.FEELING, expires_at=ends),
        shelf.fact("is at the dentist", expires_at=ends),
    )
    shelf.clock.set(ends - timedelta(seconds=1))
    assert sorted(await shelf.told("tired? dentist?")) == ["feels tired", "is at the dentist"]
    shelf.clock.set(ends)
    assert await shelf.told("tired? dentist?") == []


async def test_a_question_about_time_brings_what_has_a_day_to_come(shelf: Shelf) -> None:
    await shelf.put(
        shelf.fact("has an exam on 2026-03-05", holds_on=date(2026, 3, 5)),
        shelf.fact("had a talk on 2026-02-05", holds_on=date(2026, 2, 5)),
        shelf.fact("collects stamps", importance=100),
    )
    assert (await shelf.told("what's on tomorrow?"))[0] == "has an exam on 2026-03-05"


async def test_a_closed_room_and_a_place_of_another_kind_are_given_nowhere_else(shelf: Shelf) -> None:
    await shelf.put(
        shelf.fact("keeps a secret kayak", audience=MODS),
        shelf.fact("owns a red kayak"),
        shelf.fact("place kayak", key="place:kayak", category=FactCategory.PLACE),
    )
    assert await shelf.told("which kayak?") == ["owns a red kayak"]
    inside = ReadScope(guild_id=GUILD_ID, audiences=(0, MODS))
    assert len(await shelf.told("which kayak?", view=inside)) == 2
    assert await shelf.about("which kayak?", view=ReadScope(guild_id=GUILD_ID, audiences=())) == {}


async def test_in_a_direct_message_the_askers_own_facts_of_a_shared_guild_are_given(shelf: Shelf) -> None:
    await shelf.put(
        shelf.fact("owns a red kayak"),
        shelf.fact("keeps a secret kayak", audience=MODS),
        replace(shelf.fact("sold a kayak"), subject_id=BOB, content=f"<@{BOB}> sold a kayak"),
    )
    direct = ReadScope(guild_id=555, audiences=(0,), own_guild_ids=(GUILD_ID,))
    given = await shelf.about("which kayak?", user_ids=[SELF, BOB], view=direct)
    assert [one.value for one in given[SELF].facts] == ["owns a red kayak"]
    assert given[BOB].facts == ()


async def test_who_is_named_counts_as_a_word_but_for_the_facts_about_them(shelf: Shelf) -> None:
    await shelf.put(
        shelf.fact(f"is married to <@{BOB}>", importance=20),
        *[shelf.fact(f"fact number {number}", importance=90) for number in range(6)],
    )
    assert (await shelf.told(f"and <@{BOB}>?"))[0] == f"is married to <@{BOB}>"
    assert (await shelf.told(f"and <@{SELF}>?"))[-1] == f"is married to <@{BOB}>"


async def test_facts_about_the_guild_are_chosen_with_those_of_members(shelf: Shelf) -> None:
    await shelf.put(
        replace(shelf.fact(""), subject_id=0, content="the wifi is called KeepOut"),
        *[replace(shelf.fact(""), subject_id=0, content=f"rule {number} is old") for number in range(9)],
    )
    given = await shelf.about("what's the wifi called?")
    assert given[0].facts[0].content == "the wifi is called KeepOut"
    assert len(given[0].facts) <= OF_THE_CLOSE


async def test_one_statement_chooses_for_everybody_however_many(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    real_read = Database.read

    async def counted(database: Database, query: object) -> object:
        async def run(connection: Connection) -> object:
            connection.add_query_logger(lambda one: statements.append(one.query))
            return await query(connection)  # type: ignore[operator]

        return await real_read(database, run)

    monkeypatch.setattr(Database, "read", counted)
    await shelf.about("pizza?", user_ids=list(range(1, 100)))
    assert sum("FROM facts" in statement and "stem_keys" in statement for statement in statements) == 1
    reads = [statement for statement in statements if statement.lstrip().startswith("WITH")]
    assert len(reads) == 2, "facts, and how well the two know each other"


async def test_use_is_noted_behind(shelf: Shelf) -> None:
    await shelf.put(shelf.fact("owns a red kayak"), shelf.fact("collects stamps"))
    (used,) = [one.fact_id for one in (await shelf.about("kayak?"))[SELF].facts if "kayak" in one.content]
    shelf.keepsake.memory.used(view=OPENLY, fact_ids=[used])
    await shelf.keepsake.memory.told()
    (kayak,) = await shelf.keepsake.memory.facts_with_ids(guild_id=GUILD_ID, fact_ids=[used])
    assert kayak.last_used_at == NOW
    (stamps,) = [one for one in (await shelf.about("stamps?"))[SELF].facts if "stamps" in one.content]
    assert stamps.last_used_at is None


async def test_since_when_two_know_each_other_is_the_first_that_is_kept(shelf: Shelf) -> None:
    first = NOW - timedelta(days=90)
    await shelf.keepsake.memory.ingest_message(
        Message(
            guild_id=GUILD_ID,
            channel_id=CHANNEL_ID,
            message_id=snowflake_at(first),
            user_id=SELF,
            text="hello",
            timestamp=first,
        )
    )
    await shelf.put(shelf.fact("owns a red kayak"))
    given = await shelf.about("hello", user_ids=[SELF, BOB])
    assert (given[SELF].since, given[SELF].acquaintance) == (first, Acquaintance.NEW)
    assert given[BOB].since is None
