"""A restored backup obeys what was decided since it was made, by ids and hashes alone."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake, assembled, open_database
from bot.core.clock import SetClock, SystemClock
from bot.core.domain import Channel, ConsentDefault, Fact, Guild, Member
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.db import copying
from bot.db.pool import Connection, Database
from bot.memory.members.directory import Directory
from bot.memory.policy import decisions
from bot.memory.policy.decisions import DecisionKind
from bot.ops import owner
from bot.ops.backup_file import opened
from bot.ops.backups import write_backup
from bot.ops.decision_file import read_decisions
from tests.memory.rights.erasing.lived import (
    BOB,
    CAROL,
    CLOSED_WORDS,
    GENERAL,
    GUILD_ID,
    NAMES,
    OWN_WORDS,
    live,
    note,
    said,
)
from tests.ops.conftest import NewDatabase, home
from tests.ops.reading import everything, state, text_of
from tests.ops.test_backups import restored

NOW: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)

DORA: Final = 660_000_000_000_000_006
"""Who comes after the backup."""


class Home:
    """A home, and the file that its decisions are copied to."""

    def __init__(self, settings: Settings, clock: SetClock, folder: Path) -> None:
        assert settings.database_url is not None
        self.settings = settings
        self.dsn = settings.database_url.get_secret_value()
        self.decisions = folder / "keepsake.decisions"
        self._clock = clock

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Keepsake]:
        async with (
            open_database(self.settings) as database,
            assembled(self.settings, self._clock, database) as keepsake,
        ):
            yield keepsake
            await keepsake.memory.told()
            await keepsake.work.idle()

    async def back_up(self, path: Path) -> Path:
        await write_backup(self.settings, SystemClock(), path)
        return path

    async def export(self) -> None:
        assert await owner.export_decisions(self.settings, self.decisions, after=None) == 0

    async def restored_to(self, other: Settings, backup: Path) -> None:
        """Restore a backup in another home, with all that was decided in this one."""
        await self.export()
        await restored(other, backup, decisions=self.decisions)


@pytest.fixture
def first(here: Settings, clock: SetClock, tmp_path: Path, database: Database) -> Home:
    return Home(here, clock, tmp_path)


@pytest.fixture
async def backup(first: Home, database: Database, tmp_path: Path) -> Path:
    """A backup of a home in which Carol and Bob have lived."""
    async with first.running() as keepsake:
        await live(keepsake, database)
        asked = said("Bot, remember that I like rutabagas", 30, user_id=BOB)
        await keepsake.memory.ingest_messages([asked, said(f"yes, <@{BOB}> does like rutabagas", 31)])
        await keepsake.memory.remember(note(asked, "I like rutabagas", subject_id=BOB))
    return await first.back_up(tmp_path / "keepsake.backup")


async def fact(keepsake: Keepsake, words: str) -> Fact:
    """Return the one fact that holds with these words in it."""
    found = await keepsake.memory.facts_with_ids(guild_id=GUILD_ID, fact_ids=range(1, 100))
    (only,) = [one for one in found if words in one.content and one.status == "active"]
    return only


async def forget(keepsake: Keepsake, words: str) -> None:
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[(await fact(keepsake, words)).fact_id])


async def same_in(first: Home, other: Home) -> None:
    """Fail unless the same is kept and decided in both homes."""
    before, after = await state(first.dsn), await state(other.dsn)
    apart = [(name, before[name] - after[name], after[name] - before[name]) for name in before]
    told = [f"{name}: {gone} became {come}" for name, gone, come in apart if gone or come]
    if told:
        pytest.fail("\n".join(told))


async def test_what_was_forgotten_since_stays_forgotten(
    first: Home, backup: Path, there: Settings, second: str
) -> None:
    async with first.running() as keepsake:
        await forget(keepsake, "rutabaga")
    await first.export()
    assert "rutabaga" not in await text_of(first.dsn)

    await restored(there, backup)
    assert "rutabaga" in await text_of(second)
    await restored(there, backup, decisions=first.decisions, replace=True)
    assert "rutabaga" not in await text_of(second)


async def test_who_was_erased_since_stays_erased(
    first: Home, backup: Path, there: Settings, second: str
) -> None:
    async with first.running() as keepsake:
        await keepsake.memory.erasing.erase_member(
            guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=True
        )
    await first.restored_to(there, backup)
    left = await text_of(second)
    for word in (str(CAROL), *OWN_WORDS, *CLOSED_WORDS, *NAMES):
        assert word not in left
    await same_in(first, Home(there, SetClock(NOW), backup.parent))


ACTS: Final[dict[str, Callable[[Keepsake], Awaitable[object]]]] = {
    "forget": lambda keepsake: forget_all(keepsake, "rutabagas"),
    "forget another": lambda keepsake: forget_all(keepsake, "quokkarium"),
    "undo": lambda keepsake: take_back_all(keepsake, "rutabagas"),
    "undo another": lambda keepsake: take_back_all(keepsake, "zanzibarus"),
    "opt out": lambda keepsake: keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=CAROL),
    "opt in": lambda keepsake: keepsake.memory.consent.opt_in(guild_id=GUILD_ID, user_id=CAROL),
    "private": lambda keepsake: keepsake.memory.consent.set_private(
        guild_id=GUILD_ID, user_id=BOB, private=True
    ),
    "public": lambda keepsake: keepsake.memory.consent.set_private(
        guild_id=GUILD_ID, user_id=BOB, private=False
    ),
    "no feelings": lambda keepsake: keepsake.memory.consent.keep_category(
        guild_id=GUILD_ID, user_id=BOB, category="preference", kept=False
    ),
    "delete": lambda keepsake: keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=GENERAL, message_ids=[said("", 1).message_id]
    ),
    "erase": lambda keepsake: keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=(), opted_out=False
    ),
    "forget the profile": lambda keepsake: keepsake.memory.profiles.forget(guild_id=GUILD_ID, user_id=CAROL),
    "close": lambda keepsake: keepsake.directory.put_channels(
        [Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general", audience=GENERAL)]
    ),
}
"""What somebody decides."""


async def holding(keepsake: Keepsake, words: str) -> list[int]:
    found = await keepsake.memory.facts_with_ids(guild_id=GUILD_ID, fact_ids=range(1, 100))
    return [one.fact_id for one in found if words in one.content]


async def forget_all(keepsake: Keepsake, words: str) -> None:
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=await holding(keepsake, words))


async def take_back_all(keepsake: Keepsake, words: str) -> None:
    await keepsake.memory.take_back(guild_id=GUILD_ID, fact_ids=await holding(keepsake, words))


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.sampled_from(sorted(ACTS)), min_size=5, max_size=9))
async def test_whatever_is_decided_in_whatever_order_holds_in_a_restored_home(
    backup: Path,
    there: Settings,
    second: str,
    new_database: NewDatabase,
    tmp_path_factory: pytest.TempPathFactory,
    acts: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("homes")
    if not await everything(second):
        await restored(there, backup)
    clock = SetClock(NOW)
    one = Home(home(await new_database(second), folder), clock, folder)
    async with one.running() as keepsake:
        for act in acts:
            clock.advance(timedelta(minutes=1))
            await ACTS[act](keepsake)
    other = Home(home(await new_database(), folder), clock, folder)
    await one.restored_to(other.settings, backup)
    await same_in(one, other)


async def grow_old(dsn: str, *, but: int = 0) -> None:
    """Let all decisions have been made years ago, but for this many of the last."""
    async with copying.session(dsn) as connection:
        await connection.execute(
            """
            UPDATE decisions SET made_at = '2020-01-01' WHERE number <= (SELECT max(number) FROM decisions) - $1
            """,
            but,
        )


async def test_what_is_too_old_for_any_backup_goes_and_a_backup_that_is_older_is_refused(
    first: Home, backup: Path, there: Settings, second: str, tmp_path: Path
) -> None:
    async with first.running() as keepsake:
        for act in ("forget", "opt out", "private"):
            await ACTS[act](keepsake)
    await first.export()
    lines = first.decisions.read_text().splitlines(keepends=True)
    with opened(backup) as read:
        known, last = read.manifest.decisions, len(lines) - 1
    await grow_old(first.dsn, but=1)
    async with first.running() as keepsake:
        await ACTS["no feelings"](keepsake)
    # Whoever copies them away often has missed none.
    await first.export()
    assert read_decisions(first.decisions).decisions[0].number == 1
    first.decisions.write_text("".join(lines[:3]))
    with pytest.raises(InvalidInputError, match=f"decisions 3 to {last - 2} are kept no longer"):
        await first.export()

    first.decisions = tmp_path / "later.decisions"
    await first.export()
    assert read_decisions(first.decisions).decisions[0].number == last - 1
    with pytest.raises(InvalidInputError, match=f"not {known + 1} to {last - 2}: .*--despite-gaps"):
        await restored(there, backup, decisions=first.decisions)
    assert await everything(second) == {}
    done = await restored(there, backup, decisions=first.decisions, despite_gaps=True)
    assert done.missing == [range(known + 1, last - 1)]
    # Its log goes on without a gap.
    other = Home(there, SetClock(NOW), tmp_path)
    async with other.running() as keepsake:
        await ACTS["public"](keepsake)
    other.decisions = first.decisions
    await other.export()
    assert read_decisions(other.decisions).decisions[-1].kind is DecisionKind.STANDING


async def test_who_was_unknown_to_the_backup_stands_as_they_decided_once_they_are_known(
    first: Home, backup: Path, there: Settings, second: str, clock: SetClock
) -> None:
    async with first.running() as keepsake:
        for user_id in (DORA, DORA + 1):
            await keepsake.directory.put_members(
                [Member(guild_id=GUILD_ID, user_id=user_id, user_name="new")]
            )
        await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=DORA)
        await keepsake.memory.consent.set_private(guild_id=GUILD_ID, user_id=DORA + 1, private=True)
        await keepsake.memory.consent.keep_category(
            guild_id=GUILD_ID, user_id=DORA + 1, category="event", kept=False
        )
    await first.restored_to(there, backup)

    # However late they come.
    await grow_old(second)
    async with Home(there, clock, backup.parent).running() as keepsake:
        assert (await keepsake.memory.consent.of(guild_id=GUILD_ID, user_id=DORA)).absent
        await keepsake.directory.put_members([Member(guild_id=GUILD_ID, user_id=DORA + 1, user_name="new")])
        stands = await keepsake.memory.consent.of(guild_id=GUILD_ID, user_id=DORA + 1)
        assert stands.private
        assert not stands.kept_categories["event"].kept


async def test_what_was_set_where_the_backup_knows_nothing_holds_when_it_is_taken_up(
    first: Home, backup: Path, there: Settings, clock: SetClock
) -> None:
    new = Guild(guild_id=GUILD_ID + 1, name="New")
    late = Channel(guild_id=GUILD_ID, channel_id=GENERAL + 7, name="late")

    async def take_up(directory: Directory) -> tuple[Guild, Channel]:
        await directory.add_guild(new)
        await directory.put_channel(late)
        guild = await directory.guild(new.guild_id)
        channel = await directory.channel(guild_id=GUILD_ID, channel_id=late.channel_id)
        assert guild is not None and channel is not None
        return guild, channel

    async with first.running() as keepsake:
        guild, channel = await take_up(keepsake.directory)
        await keepsake.directory.change_guild(
            guild, replace(guild, retention_days=7, consent=ConsentDefault.ASKED)
        )
        await keepsake.directory.change_channel(channel, replace(channel, hearing=False))
    await first.restored_to(there, backup)
    async with Home(there, clock, backup.parent).running() as keepsake:
        guild, channel = await take_up(keepsake.directory)
    assert (guild.retention_days, guild.consent) == (7, ConsentDefault.ASKED)
    assert not channel.hearing


async def test_what_was_said_and_forgotten_after_the_backup_is_not_read_back(
    first: Home, backup: Path, there: Settings, clock: SetClock, second: str
) -> None:
    late = said("Bot, remember that I collect gramophones", 90, user_id=BOB)
    async with first.running() as keepsake:
        await keepsake.memory.ingest_messages([late])
        await keepsake.memory.remember(note(late, "I collect gramophones", subject_id=BOB))
        await forget(keepsake, "gramophones")
    await first.restored_to(there, backup)
    async with Home(there, clock, backup.parent).running() as keepsake:
        await keepsake.memory.ingest_messages([late])
    assert "gramophone" not in await text_of(second)


async def test_a_member_who_was_taken_out_of_a_fact_stays_out_of_it(
    first: Home, backup: Path, there: Settings, second: str
) -> None:
    async with first.running() as keepsake:
        about = await fact(keepsake, "adores")
        await keepsake.memory.carry_out(
            keepsake.memory.taking_out(guild_id=GUILD_ID, fact_ids=[about.fact_id], user_id=CAROL)
        )
    await first.restored_to(there, backup)
    async with copying.session(second) as connection:
        content = await connection.fetchval("SELECT content FROM facts WHERE fact_id = $1", about.fact_id)
    assert str(CAROL) not in content
    assert "adores" in content


async def test_a_database_that_is_replaced_says_itself_what_was_decided_in_it(
    backup: Path, there: Settings, clock: SetClock, second: str
) -> None:
    await restored(there, backup)
    async with Home(there, clock, backup.parent).running() as keepsake:
        await forget(keepsake, "rutabagas")
    done = await restored(there, backup, replace=True)
    assert done.knew_decisions
    assert "rutabaga" not in await text_of(second)


async def test_without_decisions_it_is_told_loudly(
    backup: Path, there: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await owner.restore(there, backup, decision_path=None, replace=False, despite_gaps=False) == 0
    assert "WARNING" in capsys.readouterr().err
    # What it knows of itself is no more than the backup does.
    assert await owner.restore(there, backup, decision_path=None, replace=True, despite_gaps=False) == 0
    assert "WARNING" in capsys.readouterr().err


async def test_decisions_go_on_behind_those_that_were_restored(
    first: Home, backup: Path, there: Settings, clock: SetClock
) -> None:
    async with first.running() as keepsake:
        await forget(keepsake, "rutabagas")
    await first.restored_to(there, backup)
    before = read_decisions(first.decisions).last
    other = Home(there, clock, backup.parent)
    async with other.running() as keepsake:
        await keepsake.memory.consent.set_private(guild_id=GUILD_ID, user_id=BOB, private=True)
    await other.export()
    found = read_decisions(first.decisions).decisions
    assert [one.number for one in found] == list(range(1, before + 2))
    assert found[-1].kind is DecisionKind.STANDING


async def test_decisions_hold_no_words_and_no_ids_of_members(first: Home, backup: Path) -> None:
    async with first.running() as keepsake:
        for act in ACTS.values():
            await act(keepsake)
    await first.export()
    told = first.decisions.read_text()
    for word in (str(CAROL), str(BOB), "rutabaga", *OWN_WORDS, *CLOSED_WORDS, *NAMES):
        assert word not in told


async def test_a_file_of_decisions_that_is_not_whole_or_not_its_own_is_refused_before_anything_is_changed(
    first: Home, backup: Path, there: Settings, second: str
) -> None:
    async with first.running() as keepsake:
        await forget(keepsake, "rutabagas")
    await first.export()
    lines = first.decisions.read_text().splitlines(keepends=True)
    head = lines[0].replace('"installation":"', '"installation":"0')
    for broken, why in (
        ("".join(lines)[:-3], "cut off"),
        ("".join([*lines[:3], *lines[4:]]), "where 3 should be"),
        ("".join([*lines[:3], "{}\n"]), "line 4 is no decision"),
        ("".join([head, *lines[1:]]), "another installation"),
        ("".join([lines[0], *lines[-2:]]), "but not 6 to "),
    ):
        first.decisions.write_text(broken)
        with pytest.raises(InvalidInputError, match=why):
            await restored(there, backup, decisions=first.decisions)
        assert await everything(second) == {}


async def test_an_export_that_was_cut_off_is_mended_by_the_next(first: Home, backup: Path) -> None:
    await first.export()
    whole = first.decisions.read_text()
    first.decisions.write_text(whole[:-20])
    await first.export()
    assert first.decisions.read_text() == whole


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(after=st.integers(0, 4))
async def test_numbers_have_no_gaps_and_appear_in_order_though_many_decide_at_once(
    database: Database, after: int
) -> None:
    """Whoever has read up to a number never sees a lower one appear: nothing is left out of the file."""

    async def decide(connection: Connection, guild_id: int, fails: bool) -> None:
        await decisions.note(connection, DecisionKind.PROFILE, guild_id=guild_id, user_id=1)
        if fails:
            raise ValueError

    seen = [await database.read(decisions.last_number)]

    async def one(number: int) -> None:
        with suppress(ValueError):
            await database.write(decide, number, number % 5 == after)
        found = await database.read(decisions.decisions_after, 0, limit=1000)
        assert [one.number for one in found] == list(range(1, len(found) + 1))
        seen.append(len(found))

    await asyncio.gather(*(one(number) for number in range(1, 40)))
    assert max(seen) - seen[0] > 20
