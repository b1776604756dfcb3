"""A scene for one case: a guild of its own in which things are said, remembered, told and forgotten by words alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final

from bot.app import Keepsake
from bot.chat.incoming import IncomingMessage
from bot.core.domain import Guild, Member, Message, mention_of, snowflake_at
from bot.db.pool import Connection, Database
from bot.memory.facts import repository as facts_repository

BOT_ID: Final = 77
NAMES: Final = {"alice": 21, "bob": 22, "carol": 23, "Маша": 24, "Паша": 25}
NOON: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
_CHANNEL: Final = 2
_guild_ids = count(10_000)
_LINE: Final = re.compile(r"(?P<name>\w+)(?: > (?P<reply>\d+))?: (?P<text>.+)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is kept, what is to be forgotten, and all that stays; what is not named as staying must be gone."""

    remember: Sequence[str] = ()
    """As in "alice: I like pizza"; somebody asks for it."""
    said: Sequence[str] = ()
    """As in "bob > 1: nice"; a reply names its message by its number, from 1 on."""
    told: Sequence[str] = ()
    """Sentences of a profile of `about`, a summary of a talk, an episode and a day, with members as @alice."""
    forget: str
    """As in "alice: I like pizza"."""
    facts: Sequence[str] = ()
    """The facts that stay."""
    messages: Sequence[int] = ()
    """The numbers of the messages that stay."""
    stays: Sequence[int] = ()
    """The numbers of the sentences that stay."""
    about: str = "alice"

    @property
    def title(self) -> str:
        """What to call it."""
        return self.forget


@dataclass(frozen=True, slots=True)
class Left:
    """What is left after a forgetting."""

    facts: tuple[str, ...]
    messages: tuple[int, ...]
    profile: tuple[int, ...]
    summary: tuple[int, ...]
    episode: tuple[int, ...]
    day: tuple[int, ...]


class Scene:
    """One guild, which speaks to the bot."""

    def __init__(self, keepsake: Keepsake, database: Database) -> None:
        self.keepsake = keepsake
        self.database = database
        self.guild_id = next(_guild_ids)
        self._moments = (NOON + timedelta(minutes=number) for number in count())
        self.said: list[Message] = []

    async def begin(self) -> None:
        """Let the guild and its members be known."""
        await self.keepsake.directory.add_guild(Guild(guild_id=self.guild_id, name="Case"))
        await self.keepsake.directory.put_members(
            [
                Member(guild_id=self.guild_id, user_id=user_id, user_name=name, nickname=name)
                for name, user_id in NAMES.items()
            ]
        )

    async def say(self, line: str, *, to_bot: str = "") -> str:
        """Say a line such as "alice: hello", and return what the bot answers."""
        found = _LINE.fullmatch(line)
        assert found is not None, line
        moment = next(self._moments)
        text = with_ids(found["text"])
        message = Message(
            guild_id=self.guild_id,
            channel_id=_CHANNEL,
            message_id=snowflake_at(moment) + self.guild_id,
            user_id=NAMES[found["name"]],
            text=f"Bot, {to_bot} {text}" if to_bot else text,
            timestamp=moment,
            reply_to_id=self.said[int(found["reply"]) - 1].message_id if found["reply"] else None,
        )
        if not to_bot:
            self.said.append(message)
        outcome = await self.keepsake.conversation.hear(
            IncomingMessage(message=message, bot_id=BOT_ID, bot_names=("Bot",), paced=False)
        )
        return outcome.text or ""

    async def tell(self, sentences: Sequence[str], *, about: str) -> None:
        """Let a profile, a summary, an episode and a day tell these sentences."""
        text = with_ids(" ".join(sentences))

        async def write(connection: Connection) -> None:
            await connection.execute(
                "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at) "
                "VALUES ($1, $2, 1, $3, 0, $4)",
                self.guild_id, NAMES[about], text, NOON,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO conversation_summaries (guild_id, channel_id, conversation_id, audience, content, "
                "covers_up_to, updated_at) VALUES ($1, 90, 1, 0, $2, 1, $3)",
                self.guild_id, text, NOON,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO episodes (guild_id, channel_id, audience, content, lexemes, importance, "
                "first_message_id, last_message_id, created_at, updated_at) "
                "VALUES ($1, 90, 0, $2, to_tsvector('russian', $2), 5, 1, 2, $3, $3)",
                self.guild_id, text, NOON,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO distillations (guild_id, kind, audience, subject_id, period, sources, time_zone, "
                "model_chain, content, built_at) VALUES ($1, 'day', 0, $2, '2026-02-20', '1', 'UTC', '', $3, $4)",
                self.guild_id, NAMES[about], text, NOON,
            )  # fmt: skip

        await self.database.write(write)

    async def left(self, sentences: Sequence[str]) -> Left:
        """Return what is left of all that was said and told."""

        async def read(connection: Connection) -> Left:
            known = await facts_repository.active_facts(
                connection, guild_ids=[self.guild_id], audiences=[0], now=NOON
            )
            rows = await connection.fetch(
                "SELECT message_id FROM chat_history WHERE guild_id = $1 AND withheld IS NULL", self.guild_id
            )
            standing = {row["message_id"] for row in rows}
            texts = [
                await connection.fetchval(f"SELECT content FROM {table} WHERE guild_id = $1", self.guild_id)
                for table in ("profiles", "conversation_summaries", "episodes", "distillations")
            ]
            return Left(
                tuple(sorted(with_names(fact.content) for fact in known)),
                tuple(number for number, one in enumerate(self.said, start=1) if one.message_id in standing),
                *(
                    tuple(
                        number
                        for number, sentence in enumerate(sentences, start=1)
                        if with_ids(sentence) in (text or "")
                    )
                    for text in texts
                ),
            )

        return await self.database.read(read)


async def failing(keepsake: Keepsake, database: Database, case: Case) -> str:
    """Play a case, and return what is wrong with what is left; "" if nothing is."""
    scene = Scene(keepsake, database)
    await scene.begin()
    for line in case.said:
        await scene.say(line)
    for line in case.remember:
        answer = await scene.say(line, to_bot="remember that")
        assert answer.startswith(("Remembered", "Noted", "Записано", "Отмечено")), answer
    await scene.tell(case.told, about=case.about)
    answer = await scene.say(case.forget, to_bot="forget that")
    left = await scene.left(case.told)
    stays = tuple(case.stays)
    wanted = Left(tuple(sorted(case.facts)), tuple(case.messages), stays, stays, stays, stays)
    return "" if left == wanted else f"{case.title}\n  answer: {answer}\n  left:   {left}\n  wanted: {wanted}"


def with_ids(text: str) -> str:
    """Return `text` with members as `<@id>` for @name."""
    for name, user_id in NAMES.items():
        text = text.replace(f"@{name}", mention_of(user_id))
    return text


def with_names(text: str) -> str:
    """Return `text` with @name for members."""
    for name, user_id in NAMES.items():
        text = text.replace(mention_of(user_id), f"@{name}")
    return text
