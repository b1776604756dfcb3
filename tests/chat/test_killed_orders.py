"""An order is done as a whole or not at all, wherever the process dies; heard again, it is done."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.app import Keepsake, assembled
from bot.chat.forgetting_sets import AT_ONCE_FACTS
from bot.chat.incoming import IncomingMessage, MessageOutcome
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, Message, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.rights.forgetting.jobs import Forgettings
from tests.chat.guild import BOT_ID, BOT_NAMES
from tests.chat.mortal import Killed, MortalDatabase, living

CHANNEL = 2_000
ALICE, BOB = 11, 12
MOST_MOMENTS = 400

Line = tuple[int, str]
Kept = list[list[tuple[object, ...]]]
_LOG = 1
"""The place of what was said in what is kept."""


@dataclass(frozen=True)
class Order:
    """What is said before, and the order."""

    before: Sequence[Line]
    order: Line
    replies_to: int | None = None
    """The place of what the order replies to."""
    edits: int | None = None
    """The place of what it is a later version of."""
    secret: str = ""
    """A word that nothing may say afterwards."""


ORDERS = {
    "forget": Order(
        before=(
            (ALICE, "Bot, remember that my zeppelin locker is blue"),
            (BOB, "<@11>'s zeppelin locker is blue, I saw it"),
            (ALICE, "my zeppelin locker is blue after all"),
        ),
        order=(ALICE, "Bot, forget that my zeppelin locker is blue"),
        secret="zeppelin",
    ),
    "several at once": Order(
        before=((ALICE, "Bot, remember that my zeppelin locker is blue"),),
        order=(ALICE, "Bot, remember that I keep a walrus and forget that my zeppelin locker is blue"),
        secret="zeppelin",
    ),
    "forget in Russian": Order(
        before=((ALICE, "Бот, запомни, что мой дирижабль стоит в ангаре"),),
        order=(ALICE, "Бот, забудь, что мой дирижабль стоит в ангаре"),
        secret="дирижабль",
    ),
    "forget this": Order(
        before=((ALICE, "Bot, remember that bob keeps a walrus"), (ALICE, "I own a samovar made of tin")),
        order=(ALICE, "Bot, forget this"),
        replies_to=1,
        secret="samovar",
    ),
    "forget everything": Order(
        before=(
            (ALICE, "Bot, remember that my zeppelin locker is blue"),
            (ALICE, "Bot, remember that I own a zeppelin"),
            (ALICE, "Bot, forget everything about me"),
        ),
        order=(ALICE, "yes"),
        secret="zeppelin",
    ),
    "undo": Order(
        before=(
            (ALICE, "Bot, remember that my favorite food is ramen"),
            (ALICE, "Bot, remember that my favorite food is pizza"),
        ),
        order=(ALICE, "Bot, undo that"),
    ),
    "correct": Order(
        before=((ALICE, "Bot, remember that the zeppelin leaves on Monday"),),
        order=(ALICE, "Bot, no, I said Tuesday"),
    ),
    "edit": Order(
        before=((ALICE, "Bot, remember that my favorite food is ramen"),),
        order=(ALICE, "Bot, remember that my favorite food is pizza"),
        edits=0,
    ),
    "remember": Order(before=(), order=(ALICE, "Bot, remember that my favorite food is pizza")),
}


@dataclass
class Play:
    """An order played in a guild of its own, with another life each time."""

    mortal: Keepsake
    heir: Keepsake
    database: Database
    clock: SetClock
    guild_id: int = 0

    async def played(
        self, order: Order, left: int | None, *, counts_statements: bool = True
    ) -> tuple[Kept, bool]:
        """Return what is kept once the order was heard, and whether its process died of it.

        The process has so many statements and commits `left`, or commits alone.
        """
        self.guild_id += 1_000
        await self.heir.directory.add_guild(Guild(guild_id=self.guild_id, name="Test"))
        names = {ALICE: "alice", BOB: "bob", BOT_ID: "Keepsake"}
        await self.heir.directory.put_members(
            [
                Member(guild_id=self.guild_id, user_id=user_id, user_name=name, is_bot=user_id == BOT_ID)
                for user_id, name in names.items()
            ]
        )
        said = []
        for line in order.before:
            said.append(self._message(line))
            await self._heard(self.heir, said[-1])
        await self.heir.memory.extractor.noticed(
            guild_id=self.guild_id, up_to_id=said[-1].message_id if said else 0
        )
        given = self._message(order.order)
        if order.replies_to is not None:
            given = replace(given, reply_to_id=said[order.replies_to].message_id)
        if order.edits is not None:
            given = replace(said[order.edits], text=given.text, edited_at=self.clock.now())
        died = await self._dies(given, left, counts_statements=counts_statements)
        if died:
            await self._heard(self.heir, given)
        await self.heir.work.idle()
        kept = await self._kept()
        if order.edits is not None:
            # What took the place of a confirmation is not sent once more: only the old message would show that.
            kept[_LOG] = [row for row in kept[_LOG] if row[0] != BOT_ID]
        return kept, died

    async def _dies(self, given: Message, left: int | None, *, counts_statements: bool) -> bool:
        if left is None:
            await self._heard(self.mortal, given)
            return False
        with living(left, counts_statements=counts_statements):
            try:
                outcome = await self._outcome(self.mortal, given)
            except Killed:
                return True
        await self._delivered(self.mortal, outcome, given)
        return False

    async def readable(self, word: str) -> int:
        """Return how many rows still say a word."""
        found: int = await self.database.read(
            lambda connection: connection.fetchval(
                """
                SELECT (SELECT count(*) FROM chat_history WHERE guild_id = $1 AND message_text ILIKE $2)
                     + (SELECT count(*) FROM facts WHERE guild_id = $1 AND facts::text ILIKE $2)
                     + (SELECT count(*) FROM answers WHERE guild_id = $1 AND answers::text ILIKE $2)
                """,
                self.guild_id, f"%{word}%",
            )
        )  # fmt: skip
        return found

    def _message(self, line: Line) -> Message:
        self.clock.advance(timedelta(seconds=30))
        user_id, text = line
        return Message(
            guild_id=self.guild_id,
            channel_id=CHANNEL,
            message_id=snowflake_at(self.clock.now()),
            user_id=user_id,
            text=text,
            timestamp=self.clock.now(),
        )

    async def _heard(self, keepsake: Keepsake, message: Message) -> None:
        await self._delivered(keepsake, await self._outcome(keepsake, message), message)

    async def _outcome(self, keepsake: Keepsake, message: Message) -> MessageOutcome:
        hearing = IncomingMessage(message=message, bot_id=BOT_ID, bot_names=BOT_NAMES, alone=True)
        if message.edited_at is not None:
            return await keepsake.conversation.hear_edit(hearing)
        return await keepsake.conversation.hear(hearing)

    async def _delivered(self, keepsake: Keepsake, outcome: MessageOutcome, answered: Message) -> None:
        if outcome.text is None:
            return
        own = self._message((BOT_ID, outcome.text))
        if outcome.replaces:
            own = replace(own, message_id=outcome.replaces[0])
        await keepsake.conversation.delivered(outcome, sent=[replace(own, reply_to_id=answered.message_id)])

    async def _kept(self) -> Kept:
        """Return all that is kept in this guild, without ids and times."""

        async def read(connection: Connection) -> Kept:
            return [
                [tuple(row) for row in await connection.fetch(statement, self.guild_id)]
                for statement in _KEPT
            ]

        return await self.database.read(read)


_KEPT = (
    """SELECT subject_id, CASE WHEN status = 'forgotten' THEN '' ELSE key END, content, raw_content, status, origin,
              superseded_by IS NULL
       FROM facts WHERE guild_id = $1 ORDER BY fact_id""",
    """SELECT user_id, message_text, withheld, lexemes::text FROM chat_history WHERE guild_id = $1
       ORDER BY message_id""",
    """SELECT user_id, route, state, parts, question::text IS NULL, cardinality(fact_ids), cardinality(memory_ids),
              cardinality(sent_ids), settled_by IS NULL
       FROM answers WHERE guild_id = $1 ORDER BY message_id""",
    """SELECT cardinality(stem_hashes) FROM tombstones WHERE guild_id = $1 ORDER BY 1""",
    """SELECT user_id, facts, messages, summaries, days, cardinality(own_ids), cardinality(left_ids),
              selection IS NULL
       FROM forgettings WHERE guild_id = $1""",
    "SELECT memory_epoch FROM guilds WHERE guild_id = $1",
)


@pytest.fixture
async def play(dsn: str, database: Database, clock: SetClock) -> AsyncIterator[Play]:
    dying = await MortalDatabase.open(dsn)
    async with (
        assembled(Settings(_env_file=None), clock, dying) as mortal,
        assembled(Settings(_env_file=None), clock, database) as heir,
    ):
        yield Play(mortal, heir, database, clock)
    await dying.close()


async def killed_everywhere(play: Play, order: Order, *, counts_statements: bool) -> None:
    """Hold that an order is done as a whole, whatever its process still lived to see."""
    expected, _ = await play.played(order, None)
    if order.secret:
        assert await play.readable(order.secret) == 0
    for left in range(MOST_MOMENTS):
        kept, died = await play.played(order, left, counts_statements=counts_statements)
        assert kept == expected, f"killed at moment {left}"
        if order.secret:
            assert await play.readable(order.secret) == 0
        if not died:
            return
    raise AssertionError("the order never came to its end")


@pytest.mark.parametrize("name", ORDERS)
async def test_an_order_is_done_as_a_whole_after_whichever_commit_its_process_dies(
    play: Play, name: str
) -> None:
    # Whatever is not committed is rolled back: between two commits it makes no difference when it dies.
    await killed_everywhere(play, ORDERS[name], counts_statements=False)


@pytest.mark.soak
@pytest.mark.parametrize("name", ORDERS)
async def test_an_order_is_done_as_a_whole_wherever_its_process_dies(play: Play, name: str) -> None:
    await killed_everywhere(play, ORDERS[name], counts_statements=True)


@pytest.mark.parametrize("statements", [7, 12, 14, 40, 60])
async def test_a_large_set_is_a_plan_that_is_gone_on_with(
    play: Play, statements: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is not done in time, on a busy machine, is left to others, and takes fewer statements.
    for method in (Forgettings.take_facts, Forgettings.resumed):
        monkeypatch.setattr(method, "__kwdefaults__", {"seconds": 600.0})
    many = AT_ONCE_FACTS + 5
    order = Order(
        before=(
            *((ALICE, f"Bot, remember that my zeppelin number {number} is grey") for number in range(many)),
            (ALICE, "Bot, forget everything about me"),
        ),
        order=(ALICE, "yes"),
    )
    kept, died = await play.played(order, statements)
    assert died, "it takes more statements than that"
    assert [row[4] for row in kept[0]] == ["forgotten"] * many
    assert await play.readable("zeppelin") == 0
    (answered,) = await play.database.read(
        lambda connection: connection.fetch(
            "SELECT parts FROM answers WHERE guild_id = $1 ORDER BY message_id DESC LIMIT 1", play.guild_id
        )
    )
    assert str(many) in answered["parts"][0]
    assert kept[4] == [(ALICE, many, *kept[4][0][2:-1], True)], "the plan has come to its end"
