"""Whoever is named in a text is found by the keys of their names, in a guild of any size."""

import random
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.chat.grounding import named_in
from bot.core.domain import Guild, Member
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.memory.members import known
from bot.memory.members.directory import Directory
from bot.memory.members.known import NameIndexer
from bot.memory.members.name_index import keys_of, probes_in
from bot.memory.members.roster import AmbiguousName, FoundMember, Roster, UnknownName, resolve
from bot.memory.members.subjects import StatementSubject, subject_of, with_mentions
from bot.memory.policy.permissions import scope_of
from bot.memory.recall.asked import whom
from bot.text.commands import AskFact, QuestionForm

GUILD_ID = 9
NAMES = (
    "Anna", "anna_k", "Anna Smith", "Anna Schmidt", "Annabel", "José", "Zoë", "J.R. Ewing", "🌸 Luna ✨", "Big Max",
    "Christine", "Christina", "Alexandros", "Aleksandra", "gruzilkin", "The Rock", "O'Brien", "Jean-Luc", "bob_77",
    "Elizabeth", "Маша", "Мария", "Саша", "Александр Петров", "Пётр", "Павел", "Игорёк", "Лев", "Анна Иванова",
    "Екатерина", "Святослав", "Константин", "Любовь", "[TAG] Mörkö", "x", "May",
    "Петя", "Al Green", "Christophoros",
)  # fmt: skip
WRITTEN = (
    "Маше", "Машу", "Петин", "Павла", "Льва", "Сашей", "Игорьку", "Любови", "Шура", "Катя", "Liz", "Lisa", "annas",
    "Anna's", "Gruz", "грузилкин", "Анне Ивановой", "Александра Петрова", "Костей", "Jose", "zoe", "luna", "max",
    "@anna", "@Luna", "Anna, Bob", "(Anna)", "«Маша»", "**Anna**", "Rock", "Bob'll", "obrien",
    "Al", "Chistophors",
)  # fmt: skip
WORDS = (
    "likes tea",
    "что любит",
    "and",
    "и",
    "my brother",
    "is",
    "у",
    "кот",
    "the",
    "hates",
    "about",
    "с",
    "—",
)


@st.composite
def members(draw: st.DrawFn) -> list[Member]:
    """Draw a guild, some of whose members have several names, and names of before."""
    name = st.sampled_from(NAMES)
    drawn = draw(
        st.lists(st.tuples(name, name | st.just(""), st.lists(name, max_size=1)), min_size=1, max_size=12)
    )
    return [
        Member(guild_id=GUILD_ID, user_id=number, user_name=one, nickname=other, old_names=tuple(old))
        for number, (one, other, old) in enumerate(drawn, start=1)
    ]


@st.composite
def slipped(draw: st.DrawFn) -> str:
    """Draw a name with a letter left out, doubled or exchanged with the next."""
    name = draw(st.sampled_from([one for one in NAMES if len(one) > 5]))
    at = draw(st.integers(1, len(name) - 3))
    cut = draw(st.sampled_from((name[at + 1], name[at] * 2 + name[at + 1], name[at + 1] + name[at])))
    return name[:at] + cut + name[at + 2 :]


SENTENCES = st.lists(
    st.sampled_from(NAMES) | st.sampled_from(WRITTEN) | slipped() | st.sampled_from(WORDS),
    min_size=1,
    max_size=7,
).map(" ".join)


class Sure(Roster):
    """A roster that suggests nobody: whom a name is only like is sought among some members alone."""

    def closest(self, name: str, *, at_least: int = 0) -> int | None:
        return None


def meant(name: str, roster: Roster) -> tuple[int, ...]:
    found = resolve(name, members=roster, author_id=1)
    match found:
        case FoundMember(user_id):
            return (user_id,)
        case AmbiguousName(candidates):
            return candidates
        case UnknownName():
            return ()


def about(text: str, roster: Roster) -> StatementSubject | AmbiguousName | UnknownName:
    return subject_of(text, members=roster, author_id=1)


def means_the_same(text: str, guild: list[Member]) -> None:
    """Fail unless those who are met by a text are meant in it as they are among all of a guild."""
    probes = probes_in([text])
    met = Sure([one for one in guild if not probes.keys().isdisjoint(keys_of(one))])
    everyone = Sure(guild)
    assert with_mentions(text, met) == with_mentions(text, everyone)
    assert about(text, met) == about(text, everyone)
    assert named_in(text, met) == named_in(text, everyone)
    asked = AskFact(QuestionForm.WHAT, text)
    assert whom(asked, met, asker_id=1) == whom(asked, everyone, asker_id=1)
    words = text.split()
    for at in range(len(words)):
        for end in range(at + 1, min(at + 3, len(words)) + 1):
            name = " ".join(words[at:end])
            assert meant(name, met) == meant(name, everyone), name


@given(members(), SENTENCES)
def test_whoever_is_met_by_a_text_means_in_it_what_they_mean_among_all(
    guild: list[Member], text: str
) -> None:
    means_the_same(text, guild)


@pytest.mark.parametrize("written", WRITTEN)
def test_each_way_to_write_a_name_meets_whoever_it_means(written: str) -> None:
    everyone = [
        Member(guild_id=GUILD_ID, user_id=number, user_name=name)
        for number, name in enumerate(NAMES, start=2)
    ]
    for text in (written, f"{written} likes tea", f"{written} кот", f"что любит {written}"):
        means_the_same(text, everyone)


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_name_finds_its_bearers_by_a_key_that_they_alone_have(name: str) -> None:
    """Among thousands who are called Anna, Anna Smith is found."""
    keys = keys_of(Member(guild_id=GUILD_ID, user_id=1, user_name=name))
    assert any(key > 0 and key in probes_in([f"ask {name}, please"]) for key in keys)


@pytest.fixture
def directory(keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch) -> Directory:
    """A directory of guilds all of which are large."""
    monkeypatch.setattr(known, "SMALL_GUILD", 0)
    return keepsake.directory


async def met_by(directory: Directory, *texts: str) -> set[int]:
    """Return whom a text meets besides the one with the lowest id."""
    met = directory.known(scope_of(guild_id=GUILD_ID, channel_audience=0))
    await met.meet(*texts)
    return {one.user_id for one in met.everyone} - {1}


NOBODY, ANNA, BOB = (
    Member(guild_id=GUILD_ID, user_id=number, user_name=name)
    for number, name in enumerate(("nobody", "anna", "bob"), start=1)
)


async def test_who_takes_another_name_is_met_by_both_and_who_is_erased_by_none(
    directory: Directory, keepsake: Keepsake, database: Database
) -> None:
    await directory.add_guild(Guild(guild_id=GUILD_ID, name="Reef"))
    await directory.put_members([NOBODY, ANNA, BOB])
    assert await met_by(directory, "anna likes tea") == {ANNA.user_id}
    await directory.put_members([replace(ANNA, user_name="zoe", nickname="Zoë")])
    assert (
        await met_by(directory, "anna likes tea") == await met_by(directory, "tea for ZOE") == {ANNA.user_id}
    )
    assert await met_by(directory, "bob and anna", "<@2>") == {ANNA.user_id, BOB.user_id}
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=ANNA.user_id, audiences=None, opted_out=False
    )
    assert await met_by(directory, "anna, zoe or <@2>") == set()
    left = "SELECT count(*) FROM member_names WHERE user_id = 2"
    assert await database.read(lambda connection: connection.fetchval(left)) == 0


async def test_who_was_there_before_the_index_is_met_while_it_is_made_and_by_their_names_then(
    directory: Directory, database: Database
) -> None:
    await directory.add_guild(Guild(guild_id=GUILD_ID, name="Reef"))
    await directory.put_members([NOBODY, ANNA, BOB])

    async def as_migrated(connection: Connection) -> None:
        await connection.execute("UPDATE members SET name_keys = NULL")

    await database.write(as_migrated)
    assert await met_by(directory, "tea for anna") == {ANNA.user_id, BOB.user_id}
    await directory.put_members([replace(ANNA, nickname="Zoë")])
    await NameIndexer(database).index(
        Job(guild_id=GUILD_ID, kind=known.INDEXING_JOB, work_key="", wanted=1, attempts=0)
    )
    assert await met_by(directory, "tea for Anna") == await met_by(directory, "tea for zoe") == {ANNA.user_id}


async def test_a_direct_message_has_names_of_whom_its_guilds_know_and_means_none_of_them_by_one(
    directory: Directory,
) -> None:
    await directory.add_guild(Guild(guild_id=GUILD_ID, name="Reef"))
    await directory.put_members([NOBODY, ANNA, BOB])
    view = scope_of(guild_id=900, channel_audience=0, shared_guild_ids=(GUILD_ID, 901))
    met = directory.known(view)
    await met.meet("what does bob think of <@2>?")
    assert dict(met.names) == {ANNA.user_id: "anna"}
    assert list(met.everyone) == []


def test_little_is_kept_of_the_words_that_are_looked_through() -> None:
    letters = random.Random(7)
    words = ["".join(letters.choices("abdegiklmnoprstuvy", k=8)) for _ in range(3_000)]
    tracemalloc.start()
    for first in range(0, len(words), 12):
        probes_in([" ".join(words[first : first + 12])])
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 16 * 2**20
