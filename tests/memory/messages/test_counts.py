"""How much is kept of whom and where is what a plain count of the messages gives, whatever was done to them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.chat.incoming import IncomingMessage
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Channel, Guild, Member, Message, MessageKind, snowflake_at
from bot.db.pool import Connection, Database
from bot.memory.messages import repository_writing
from bot.memory.messages.repository_counts import WroteIn
from bot.memory.outbox.removal_log import Remover
from bot.memory.policy.permissions import ReadScope
from bot.memory.rights.forgetting.repository import MessageSelection

GUILD_ID, BOT = 1_000, 99
ALICE, BOB = 11, 12
GENERAL, LOBBY, CLOSED = 2_000, 2_001, 3_000
MEMBERS, CHANNELS = (ALICE, BOB), (GENERAL, LOBBY, CLOSED)
BEGINS: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
NEVER = 2**62

PLAIN: Final = """
    SELECT channel_id, count(*) AS messages, max(message_id) AS last_message_id, min(timestamp) AS first_at
    FROM chat_history h
    WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3::bigint[]) AND message_id < $4 AND withheld IS NULL
      AND NOT EXISTS (SELECT FROM answers a WHERE a.guild_id = $1 AND a.message_id = h.message_id)
      AND NOT keeps_nothing($1, $2)
    GROUP BY channel_id ORDER BY messages DESC, last_message_id DESC
"""


class Talk:
    """A guild in which something happens every hour; the same message is heard again by its number."""

    def __init__(self, keepsake: Keepsake, clock: SetClock) -> None:
        self._keepsake = keepsake
        self._clock = clock
        self._said: list[Message] = []

    async def do(self, act: str, number: int) -> None:
        """Do something; the `number` draws of whom, and where."""
        self._clock.advance(timedelta(hours=1))
        memory, member = self._keepsake.memory, MEMBERS[number % 2]
        known = self._said[number % len(self._said)] if self._said else self._message(number)
        match act:
            case "say":
                await memory.ingest_messages([self._message(number + one) for one in range(number % 4 + 1)])
            case "say it again":
                await memory.ingest_message(known)
            case "edit":
                await memory.ingest_message(replace(known, text="anew", edited_at=self._clock.now()))
            case "edit where it is closed":
                edited = replace(known, text="closed", edited_at=self._clock.now(), audience=CLOSED)
                await memory.ingest_message(edited)
            case "delete":
                await self._delete(known)
            case "delete before it is heard":
                late = self._message(number)
                await self._delete(late)
                await memory.ingest_message(late)
            case "ask the bot":
                asked = replace(self._message(number), text="Bot, what do you know about rutabagas?")
                await self._keepsake.conversation.hear(
                    IncomingMessage(message=asked, bot_id=BOT, bot_names=("Bot",))
                )
            case "forget what they said":
                await memory.forgettings.take(
                    MessageSelection(
                        audiences=(OPEN, CLOSED),
                        author_id=member,
                        channel_id=CHANNELS[number % 3],
                        up_to_id=snowflake_at(self._clock.now()),
                    ),
                    guild_id=GUILD_ID,
                    by=Remover(user_id=member, cause=f"m:{number}"),
                )
            case "opt out":
                await memory.consent.opt_out(guild_id=GUILD_ID, user_id=member)
            case "opt in":
                await memory.consent.opt_in(guild_id=GUILD_ID, user_id=member)
            case "erase":
                await memory.erasing.erase_member(
                    guild_id=GUILD_ID, user_id=member, audiences=None, opted_out=False
                )
            case "close":
                await self._keepsake.directory.put_channels(
                    [Channel(guild_id=GUILD_ID, channel_id=LOBBY, name="lobby", audience=LOBBY)]
                )
            case _:
                self._clock.advance(timedelta(days=number % 5))
                await self._keepsake.retention.on_a_new_day(GUILD_ID)

    async def _delete(self, message: Message) -> None:
        await self._keepsake.memory.ingest_deletion(
            guild_id=GUILD_ID, channel_id=message.channel_id, message_ids=[message.message_id]
        )

    def _message(self, number: int) -> Message:
        self._clock.advance(timedelta(minutes=1))
        channel_id, now = CHANNELS[number % 3], self._clock.now()
        message = Message(
            guild_id=GUILD_ID,
            channel_id=channel_id,
            message_id=snowflake_at(now),
            user_id=BOT if number % 7 == 6 else MEMBERS[number % 2],
            kind=MessageKind.BOT if number % 7 == 6 else MessageKind.MEMBER,
            text=f"number {number}",
            timestamp=now,
            audience=CLOSED if channel_id == CLOSED else OPEN,
        )
        self._said.append(message)
        return message


async def settle_in(keepsake: Keepsake) -> None:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Home", retention_days=7))
    await keepsake.directory.put_channels(
        [
            Channel(
                guild_id=GUILD_ID, channel_id=one, name=str(one), audience=CLOSED if one == CLOSED else OPEN
            )
            for one in CHANNELS
        ]
    )
    await keepsake.directory.put_members(
        [Member(guild_id=GUILD_ID, user_id=one, user_name=f"member {one}") for one in MEMBERS]
    )


async def is_told_as_counted(keepsake: Keepsake, database: Database) -> None:
    """Fail unless every question for a number is answered as by a plain count."""

    async def counted(connection: Connection, query: str, *values: object) -> int:
        found: int = await connection.fetchval(f"SELECT count(*) FROM chat_history WHERE {query}", *values)
        return found

    for user_id in (*MEMBERS, BOT):
        for audiences in ((OPEN,), (OPEN, CLOSED, LOBBY), (CLOSED,)):
            middle = snowflake_at(BEGINS + timedelta(hours=5))
            for before_id in (middle, NEVER):
                await wrote_what_is_there(keepsake, database, user_id, audiences, before_id)
            kept = await keepsake.memory.counting.of_member(
                guild_id=GUILD_ID,
                audiences=audiences,
                user_id=user_id,
                now=keepsake.clock.now(),
                time_zone="UTC",
            )
            own = "user_id = $1 AND audience = ANY($2::bigint[]) AND kind = 'member' AND withheld IS NULL"
            assert kept.messages.messages == await database.read(counted, own, user_id, list(audiences))
        erased = await keepsake.memory.erasing.counted(guild_id=GUILD_ID, user_id=user_id, audiences=None)
        own = "user_id = $1 AND withheld IS NULL"
        assert erased.messages == await database.read(counted, own, user_id)
    size = await keepsake.memory.inspecting.size_of(GUILD_ID)
    assert size.messages == await database.read(counted, "withheld IS NULL")
    for channel in await keepsake.memory.inspecting.channels(guild_id=GUILD_ID, after_id=0, limit=9):
        here = "channel_id = $1 AND withheld IS NULL"
        assert channel.messages == await database.read(counted, here, channel.channel_id)
    guild = await keepsake.memory.counting.of_guild(
        guild_id=GUILD_ID, audiences=None, now=keepsake.clock.now(), time_zone="UTC"
    )
    for many, condition in (
        (guild.kept.messages.messages, "kind = 'member' AND withheld IS NULL"),
        (guild.kept.messages.closed, "kind = 'member' AND withheld IS NULL AND audience <> 0"),
    ):
        assert many == await database.read(counted, condition)


async def wrote_what_is_there(
    keepsake: Keepsake, database: Database, user_id: int, audiences: Sequence[int], before_id: int
) -> None:
    plain = await database.read(
        lambda connection: connection.fetch(PLAIN, GUILD_ID, user_id, list(audiences), before_id)
    )
    tally, channels = await keepsake.library.wrote_in(
        user_id=user_id,
        view=ReadScope(guild_id=GUILD_ID, audiences=tuple(audiences)),
        before_message_id=before_id,
        limit=2,
    )
    assert tally.messages == sum(row["messages"] for row in plain)
    assert tally.first_at == min((row["first_at"] for row in plain), default=None)
    assert channels == [
        WroteIn(**{name: row[name] for name in ("channel_id", "messages", "last_message_id")})
        for row in plain[:2]
    ]


ACTS: Final = st.sampled_from(
    [
        *("say",) * 4, "say it again", "edit", "edit where it is closed", "delete", "delete before it is heard",
        "ask the bot", "forget what they said", "opt out", "opt in", "erase", "close", "go on and sweep",
    ]
)  # fmt: skip


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.tuples(ACTS, st.integers(0, 41)), min_size=4, max_size=14))
async def test_after_any_order_of_events_each_number_is_that_of_a_plain_count(
    keepsake: Keepsake, database: Database, clock: SetClock, acts: list[tuple[str, int]]
) -> None:
    await database.write(lambda connection: connection.execute("DELETE FROM chat_history"))
    clock.set(BEGINS)
    await settle_in(keepsake)
    talk = Talk(keepsake, clock)
    for act, number in acts:
        await talk.do(act, number)
    await keepsake.memory.told()
    await keepsake.work.idle()
    await is_told_as_counted(keepsake, database)
    # Nothing counts by what is none any more: who is erased leaves no number, not even zero.
    await database.write(lambda connection: connection.execute("DELETE FROM chat_history"))
    assert not await database.read(lambda connection: connection.fetch("SELECT FROM message_counts"))


async def test_who_is_erased_leaves_no_number(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    clock.set(BEGINS)
    await settle_in(keepsake)
    talk = Talk(keepsake, clock)
    for number in range(12):
        await talk.do("say", number)

    async def counted(connection: Connection) -> set[int]:
        rows = await connection.fetch("SELECT DISTINCT user_id FROM message_counts")
        return {row["user_id"] for row in rows}

    assert {ALICE, BOB} < await database.read(counted)
    await talk.do("erase", 0)
    await keepsake.work.idle()
    assert ALICE not in await database.read(counted)
    await is_told_as_counted(keepsake, database)


async def test_those_who_hear_and_take_back_the_same_at_once_count_it_once(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    """Whoever writes goes through the same numbers, in whatever order the messages come."""
    clock.set(BEGINS)
    await settle_in(keepsake)
    messages = [
        Message(
            guild_id=GUILD_ID,
            channel_id=CHANNELS[number % 3],
            message_id=snowflake_at(BEGINS) + number,
            user_id=MEMBERS[number % 2],
            text=f"number {number}",
            timestamp=BEGINS + timedelta(days=number % 5),
            audience=OPEN,
        )
        for number in range(120)
    ]

    async def one(number: int) -> None:
        part = messages[number * 7 % 60 :] + messages[: number * 7 % 60]
        if number % 3 == 2:
            await keepsake.memory.ingest_deletion(
                guild_id=GUILD_ID, channel_id=GENERAL, message_ids=[one.message_id for one in part[:40]]
            )
        else:
            await database.write(repository_writing.write_messages, part[::-1] if number % 2 else part)

    await asyncio.gather(*(one(number) for number in range(9)))
    await is_told_as_counted(keepsake, database)
