"""The log of removals: one line for what was removed about somebody else, never lost, never doubled, never quoting."""

from dataclasses import dataclass, field

import pytest

from bot.app import Keepsake, assembled
from bot.chat.rights_texts import removal_line
from bot.core.clock import SetClock
from bot.core.domain import Guild, Language, Message
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.facts.statements import Note
from bot.memory.outbox.removal_log import Removal, Remover

GUILD_ID, LOG, ALICE, BOB, CAROL = 1_000, 2_009, 11, 12, 13


@dataclass
class Board:
    """A log channel that takes lines, or does not."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    serves: bool = True
    broken: bool = False

    async def post(self, removal: Removal, *, channel_id: int) -> bool:
        if self.broken:
            raise OSError("no way there")
        if self.serves:
            self.lines.append((channel_id, removal_line(removal, Language.ENGLISH)))
        return self.serves


@pytest.fixture
async def home(keepsake: Keepsake) -> Keepsake:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Home"))
    return keepsake


async def log_to(keepsake: Keepsake, channel_id: int | None) -> None:
    guild = await keepsake.directory.guild(GUILD_ID)
    assert guild is not None
    becomes = Guild(guild_id=GUILD_ID, name="Home", log_channel_id=channel_id)
    await keepsake.directory.change_guild(guild, becomes)


async def remembered(keepsake: Keepsake, statement: str, subject_id: int, *, number: int) -> int:
    stored = await keepsake.memory.remember(
        Note(
            guild_id=GUILD_ID,
            subject_id=subject_id,
            author_id=BOB,
            speaker_id=BOB,
            audience=0,
            statement=statement,
            cause=f"m:{number}",
            channel_id=2_000,
            message_id=number,
            said_at=keepsake.clock.now(),
            time_zone="UTC",
        )
    )
    assert stored.fact_id is not None
    return stored.fact_id


async def waiting(database: Database) -> list[str]:
    rows = await database.read(lambda connection: connection.fetch("SELECT removals::text FROM removals"))
    return [row[0] for row in rows]


async def test_one_line_says_who_about_whom_and_how_much_and_never_what(
    home: Keepsake, database: Database
) -> None:
    board = Board()
    await home.memory.removal_log.attach(board)
    await log_to(home, LOG)
    facts = [
        await remembered(home, f"<@{ALICE}> likes zanzibar", ALICE, number=101),
        await remembered(home, f"<@{ALICE}> plays quokka", ALICE, number=102),
        await remembered(home, f"<@{CAROL}> likes zanzibar", CAROL, number=103),
        await remembered(home, f"<@{BOB}> likes zanzibar", BOB, number=104),
        await remembered(home, "movie night is on Friday", 0, number=105),
    ]
    said = Message(
        guild_id=GUILD_ID,
        channel_id=2_000,
        message_id=200,
        user_id=CAROL,
        text="zanzibar it is",
        timestamp=home.clock.now(),
    )
    await home.memory.ingest_message(said)
    by = Remover(user_id=BOB, cause="m:300")
    await home.memory.forget(guild_id=GUILD_ID, fact_ids=facts, message_ids=[200], by=by)
    await home.work.idle()
    ((channel_id, line),) = board.lines
    assert channel_id == LOG
    assert line == (
        f"<@{BOB}> had removed what was kept of others: 2 facts about <@{ALICE}>, 1 fact about <@{CAROL}>, "
        f"the text of 1 message by <@{CAROL}>."
    )
    assert await waiting(database) == []


async def test_what_is_ones_own_and_what_nobody_asked_for_is_noted_nowhere(home: Keepsake) -> None:
    board = Board()
    await home.memory.removal_log.attach(board)
    await log_to(home, LOG)
    own = await remembered(home, f"<@{ALICE}> likes tea", ALICE, number=101)
    other = await remembered(home, f"<@{ALICE}> likes plums", ALICE, number=102)
    await home.memory.forget(guild_id=GUILD_ID, fact_ids=[own], by=Remover(user_id=ALICE, cause="m:300"))
    await home.memory.forget(guild_id=GUILD_ID, fact_ids=[other])
    await home.work.idle()
    assert board.lines == []


async def test_without_a_log_channel_nothing_is_kept_for_it(home: Keepsake, database: Database) -> None:
    fact_id = await remembered(home, f"<@{ALICE}> likes tea", ALICE, number=101)
    await home.memory.take_back(
        guild_id=GUILD_ID, fact_ids=[fact_id], by=Remover(user_id=BOB, cause="u:101:12")
    )
    assert await waiting(database) == []
    await log_to(home, LOG)
    fact_id = await remembered(home, f"<@{ALICE}> likes plums", ALICE, number=102)
    await home.memory.removal_log.attach(Board(broken=True))
    await home.memory.take_back(
        guild_id=GUILD_ID, fact_ids=[fact_id], by=Remover(user_id=BOB, cause="u:102:12")
    )
    await home.work.idle()
    assert len(await waiting(database)) == 1, "it waits for the way there"
    await log_to(home, None)
    board = Board()
    await home.memory.removal_log.attach(board)
    await home.work.idle()
    assert (board.lines, await waiting(database)) == ([], []), "there is nowhere to note it any more"


async def test_no_crash_loses_a_line_and_the_same_command_tried_again_adds_none(
    home: Keepsake, database: Database, clock: SetClock
) -> None:
    await log_to(home, LOG)
    fact_id = await remembered(home, f"<@{ALICE}> likes zanzibar", ALICE, number=101)
    by = Remover(user_id=BOB, cause="m:300")
    for _ in range(3):
        await home.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], by=by)
    await home.work.idle()
    (row,) = await waiting(database)
    assert "zanzibar" not in row
    elsewhere = Board(serves=False)
    await home.memory.removal_log.attach(elsewhere)
    await home.work.idle()
    assert (elsewhere.lines, await waiting(database)) == ([], [row])
    async with assembled(Settings(_env_file=None), clock, database) as restarted:
        board = Board()
        await restarted.memory.removal_log.attach(board)
        await restarted.work.idle()
        assert [channel_id for channel_id, _ in board.lines] == [LOG]
        await restarted.memory.removal_log.attach(board)
        await restarted.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], by=by)
        await restarted.work.idle()
        assert len(board.lines) == 1
    assert await waiting(database) == []
