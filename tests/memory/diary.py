"""A guild whose days are told: members say things at given times, and a scripted model tells of them."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, Message, MessageKind, snowflake_at
from bot.db.pool import Database
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts.statements import Note
from bot.memory.manager import MemoryManager
from bot.memory.members.directory import Directory
from tests.memory.needs import needs_over
from tests.said import said_in
from tests.scripted_models import Script, ScriptedModels

GUILD_ID = 1_000
GENERAL = 2_000
MODS = 2_001
ALICE, BOB, CAROL = 11, 12, 13
NAMES = {ALICE: "Alice", BOB: "Bob", CAROL: "Carol"}

_ANSWER = re.compile(r"tell what each of these members did: ([u\d, ]*)\.")
_SO_FAR = re.compile(r'<so_far member="(u\d+)">(.*?)</so_far>', re.DOTALL)
_MEMBER = re.compile(r'<member id="(u\d+)">(.*?)</member>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


def tell_day(prompt: str) -> Mapping[str, object]:
    """Tell of each wanted member what they said, after what was told so far."""
    wanted = _wanted(prompt)
    earlier = dict(_SO_FAR.findall(prompt))
    said: dict[str, list[str]] = {one: [] for one in wanted}
    for one in said_in(prompt):
        if one.by in said:
            said[one.by].append(one.text)
    return {
        "texts": [
            {"member": one, "text": " / ".join([*([earlier[one]] if one in earlier else []), *said[one]])}
            for one in wanted
        ]
    }


def tell_members(prompt: str) -> Mapping[str, object]:
    """Tell of each member all that is said of them, on one line."""
    told = [(one, " + ".join(_TAG.sub("\n", body).split("\n"))) for one, body in _MEMBER.findall(prompt)]
    return {
        "texts": [
            {"member": one, "text": html.unescape(re.sub(r"( \+ )+", " + ", text).strip(" +"))}
            for one, text in told
        ]
    }


TELLING: Final[Mapping[str, Script]] = {
    "summarise_day": tell_day,
    "historical": tell_members,
    "merge_context": tell_members,
}
"""What a model answers that tells days, weeks and contexts."""


def _wanted(prompt: str) -> list[str]:
    found = _ANSWER.search(prompt)
    assert found is not None
    return [one for one in found[1].split(", ") if one]


@dataclass
class Diary:
    """The guild, its clock and its model."""

    database: Database
    clock: SetClock
    models: ScriptedModels
    memory: MemoryManager
    needs: MemoryDependencies
    said: list[Message] = field(default_factory=list)

    @property
    def directory(self) -> Directory:
        """The guilds and members."""
        return self.needs.directory

    async def say(
        self,
        user_id: int,
        text: str,
        *,
        at: datetime | None = None,
        channel_id: int = GENERAL,
        kind: MessageKind = MessageKind.MEMBER,
        reply_to: Message | None = None,
    ) -> Message:
        """Say something, a second later or `at` a moment."""
        self.clock.set(at or self.clock.now() + timedelta(seconds=1))
        message = Message(
            guild_id=GUILD_ID,
            channel_id=channel_id,
            message_id=snowflake_at(self.clock.now()) + len(self.said),
            user_id=user_id,
            text=text,
            timestamp=self.clock.now(),
            audience=MODS if channel_id == MODS else 0,
            kind=kind,
            reply_to_id=reply_to.message_id if reply_to is not None else None,
        )
        self.said.append(message)
        await self.memory.ingest_message(message)
        return message

    async def edit(self, message: Message, text: str) -> None:
        """Edit a message, now."""
        await self.memory.ingest_message(replace(message, text=text, edited_at=self.clock.now()))

    async def delete(self, message: Message) -> None:
        """Delete a message."""
        await self.memory.ingest_deletion(
            guild_id=GUILD_ID, channel_id=message.channel_id, message_ids=[message.message_id]
        )

    async def command(self, user_id: int, text: str) -> Message:
        """Say something to the bot that has it remember, and have that answered."""
        message = await self.say(user_id, text)
        await self.answered(message)
        return message

    async def answered(self, message: Message) -> None:
        """Have a message answered as one that has the bot remember something."""
        statement = """
            INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until,
                                 answered_at)
            VALUES ($1, $2, $3, $4, 'remember', 'sent', gen_random_uuid(), now(), $5)
            ON CONFLICT DO NOTHING
        """
        values = (GUILD_ID, message.message_id, message.channel_id, message.user_id, self.clock.now())
        await self.database.write(lambda connection: connection.execute(statement, *values))

    async def remember(self, subject_id: int, statement: str) -> int:
        """Have a fact remembered by its subject, and return its id."""
        message = await self.say(subject_id, f"Bot, remember that {statement}")
        stored = await self.memory.remember(
            Note(
                guild_id=GUILD_ID,
                subject_id=subject_id,
                author_id=subject_id,
                speaker_id=subject_id,
                audience=0,
                statement=statement,
                channel_id=GENERAL,
                message_id=message.message_id,
                cause=f"m:{message.message_id}",
                said_at=message.timestamp,
                time_zone="UTC",
            )
        )
        assert stored.fact_id is not None
        return stored.fact_id

    async def of(self, *user_ids: int, channel_id: int = GENERAL, seconds: float = 60.0) -> dict[int, str]:
        """Return what is remembered of members."""
        told = await self.memory.get_memories_of(
            GUILD_ID, user_ids, audience=MODS if channel_id == MODS else 0, seconds=seconds
        )
        return {user_id: one.context for user_id, one in told.items()}

    def asked(self, operation: str) -> list[str]:
        """Return the prompts of an operation so far."""
        marks = {
            "summarise_day": "For one day of it",
            "historical": "past days were like",
            "merge_context": "merge what is known",
        }
        return [prompt for prompt in self.models.prompts if marks[operation] in prompt]


async def open_diary(
    database: Database,
    clock: SetClock,
    *,
    time_zone: str = "UTC",
    models: ScriptedModels | None = None,
    has_models: bool = True,
    notify: Callable[[], None] = lambda: None,
) -> Diary:
    """Open a guild of three members on `database`; the caller closes it with `close`."""
    models = models or ScriptedModels(**TELLING)
    needs = await needs_over(database, clock, models if has_models else None, notify=notify)
    memory = MemoryManager(needs)
    memory.start()
    diary = Diary(database, clock, models, memory, needs)
    await needs.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test", time_zone=time_zone))
    await needs.directory.put_members(_members())
    return diary


async def close(diary: Diary) -> None:
    """Stop what runs."""
    await diary.memory.stop()


def _members() -> Sequence[Member]:
    return [
        Member(guild_id=GUILD_ID, user_id=one, user_name=name, nickname=name) for one, name in NAMES.items()
    ]
