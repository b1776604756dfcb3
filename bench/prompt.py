"""Plays a talk to the bot, with answers written beforehand in place of models, and writes its last prompt down."""

import functools
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from unittest import mock
from xml.etree import ElementTree

from bot import app
from bot.app import Keepsake, assembled
from bot.chat import dispatch
from bot.chat.gathering import gather
from bot.chat.incoming import IncomingMessage
from bot.chat.prompting.budget import DATA_TOKENS, USUAL_TOKENS
from bot.core.clock import SetClock
from bot.core.domain import Channel, Guild, Member, Message, MessageKind, snowflake_at
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from bot.llm.framing import estimated_tokens
from tests.scripted_models import ScriptedModels

PAGE: Final = Path(__file__).parent.parent / "docs" / "prompt.md"

_GUILD_ID, _BOT_ID = 1_000, 77
_CHANNELS: Final = {"general": 2_000, "games": 2_001}
_MEMBERS: Final = {"Alice": 11, "Bob": 12, "Саша": 13}
READ_SECONDS: Final = 60.0
"""Longer than any read: what is counted must not depend on the machine."""
BEGINS: Final = datetime(2026, 3, 2, 18, tzinfo=UTC)

_LONG_AGO: Final = (
    ("Alice", "Bot, remember that I am allergic to peanuts"),
    ("Alice", "Bot, remember that I like ramen"),
    ("Alice", "Bot, remember that I like jazz"),
    ("Alice", "Bot, remember that I work as a nurse"),
    ("Bob", "Bot, remember that I like pizza"),
    ("Bob", "Bot, remember that I own a red kayak"),
    ("Саша", "Бот, запомни, что я люблю борщ"),
    ("Alice", "Bot, remember that movie night is on Friday"),
)
_IN_GAMES: Final = (
    ("Bob", "the ramen place by the harbour opens at six now, they told me at the chess cup"),
    ("Саша", "тот, где борщ тоже есть?"),
    ("Bob", "that one"),
)
_LAST_WEEK: Final = (
    ("Alice", "shall we cook together on Saturday?"),
    ("Bob", "sure, my kitchen is bigger"),
    ("Alice", "Bot, what do you think?"),
    ("Bob", "Saturday it is then, and Sasha brings the pots"),
)
_TODAY: Final = (
    ("Bob", "back from the river, soaked"),
    ("Alice", "long shift today, my feet hurt"),
    ("Bob", "Bot, say something nice to her"),
    ("Alice", "thanks, I guess"),
    ("Саша", "а я весь день чинил велосипед"),
    ("Bob", "did it work in the end?"),
    ("Саша", "почти"),
    ("Alice", "that sounds like a no"),
    ("Bob", "we could all go out later"),
    ("Alice", "only if I may sit"),
    ("Саша", "я за"),
    ("Bob", "where to?"),
    ("Alice", "somewhere near the harbour maybe"),
    ("Bob", "fine with me"),
    ("Саша", "только не поздно"),
    ("Alice", "half past six?"),
    ("Bob", "ok"),
    ("Саша", "я беру велосипед"),
    ("Bob", "the one that nearly works?"),
    ("Саша", "именно"),
    ("Alice", "I'll walk then"),
    ("Bob", "me too, the kayak stays here"),
    ("Саша", "слабаки"),
    ("Alice", "says the man with one brake"),
    ("Bob", "half a brake"),
    ("Саша", "хватит"),
    ("Alice", "bring a coat, it gets cold"),
    ("Bob", "yes mum"),
)
_QUESTION: Final = ("Alice", "Bot, where was the ramen place by the harbour?")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as a model was given it, and the estimated tokens of its parts in the order in which they stand."""

    text: str
    tokens: Sequence[tuple[str, int]]


class Stage:
    """A guild whose members say what is written for them."""

    def __init__(self, keepsake: Keepsake, clock: SetClock) -> None:
        self._keepsake = keepsake
        self._clock = clock

    async def set_up(self) -> None:
        """Take up guild, channels and members."""
        directory = self._keepsake.directory
        await directory.add_guild(
            Guild(guild_id=_GUILD_ID, name="Friends", persona="A dry old librarian, fond of cats.")
        )
        for name, channel_id in _CHANNELS.items():
            await directory.put_channel(Channel(guild_id=_GUILD_ID, channel_id=channel_id, name=name))
        await directory.put_members(
            [Member(guild_id=_GUILD_ID, user_id=one, user_name=name) for name, one in _MEMBERS.items()]
        )

    async def play_evening(self) -> None:
        """Let everything be said that comes before the evening's last message, from three weeks before on."""
        await self.set_up()
        await self.play(_LONG_AGO, channel="general", at=BEGINS)
        await self.play(_IN_GAMES, channel="games", at=BEGINS + timedelta(days=8))
        await self.play(_LAST_WEEK, channel="general", at=BEGINS + timedelta(days=14))
        await self.end()
        await self.play(_TODAY, channel="general", at=BEGINS + timedelta(days=20))

    async def play(self, lines: Sequence[tuple[str, str]], *, channel: str, at: datetime) -> None:
        """Let the lines be said, half a minute apart, and wait for all that they make necessary."""
        self._clock.set(at)
        for author, text in lines:
            await self._say(author, text, _CHANNELS[channel])
            # What is summed up when must not depend on how busy the machine is.
            await self._settle()
            self._clock.advance(timedelta(seconds=30))

    async def end(self) -> None:
        """Let so much time pass that the conversation is over."""
        self._clock.advance(timedelta(hours=2))
        await self._settle()

    async def _say(self, author: str, text: str, channel_id: int) -> None:
        said = self._message(_MEMBERS[author], text, channel_id)
        conversation = self._keepsake.conversation
        outcome = await conversation.hear(
            IncomingMessage(message=said, bot_id=_BOT_ID, bot_names=("Bot", "Бот"), visitor=False)
        )
        if outcome.text is not None:
            self._clock.advance(timedelta(seconds=1))
            answer = self._message(_BOT_ID, outcome.text, channel_id, reply_to_id=said.message_id)
            await conversation.delivered(outcome, sent=[answer])

    def _message(
        self, user_id: int, text: str, channel_id: int, *, reply_to_id: int | None = None
    ) -> Message:
        now = self._clock.now()
        return Message(
            guild_id=_GUILD_ID,
            channel_id=channel_id,
            message_id=snowflake_at(now),
            user_id=user_id,
            text=text,
            timestamp=now,
            kind=MessageKind.BOT if user_id == _BOT_ID else MessageKind.MEMBER,
            reply_to_id=reply_to_id,
        )

    async def _settle(self) -> None:
        await self._keepsake.memory.told()
        await self._keepsake.work.idle()
        await self._keepsake.memory.told()


def _contexts(prompt: str) -> Mapping[str, object]:
    """Tell of every member the same: a context has been merged from facts and days, and names no sources."""
    members = re.findall(r'<member id="(u\d+)"', prompt)
    text = "had a long day and looks forward to an evening with the others."
    return {"texts": [{"member": one, "text": f"@{one} {text}"} for one in members]}


def _models() -> ScriptedModels:
    return ScriptedModels(
        route={"kind": "chat", "confident": True},
        reply={"text": "Cook together, by all means. I will watch from the shelf."},
        merge_facts=None,
        summarise_day=None,
        merge_context=_contexts,
        make_episode={
            "text": "Alice and Bob agreed to cook together on Saturday in Bob's kitchen; Sasha brings the pots.",
            "importance": 6,
            "tags": ["cooking"],
        },
        roll_summary={
            "text": "Bob came back soaked from the river and Alice tired from a long shift; Sasha repaired a bike."
        },
        learn_profile={
            "profile": "@u1 plans evenings with others and jokes when it gets serious.",
            "facts": [],
        },
    )


async def real_prompt(database: Database) -> Prompt:
    """Play the talk and return the prompt of the reply to its last line."""
    models = _models()
    clock = SetClock(BEGINS)
    settings = Settings(_env_file=None, learn_every_turns=1, summary_every_messages=5)
    with (
        mock.patch.object(app, "build_models", lambda *_, **__: models),
        # What a page shows must not depend on how busy the machine is.
        mock.patch.object(dispatch, "gather", functools.partial(gather, seconds=READ_SECONDS)),
    ):
        async with assembled(settings, clock, database) as keepsake:
            stage = Stage(keepsake, clock)
            await stage.play_evening()
            await stage.play([_QUESTION], channel="general", at=BEGINS + timedelta(days=20, minutes=20))
    text = next(prompt for prompt in reversed(models.prompts) if "<to_answer>" in prompt)
    return Prompt(text, _tokens(text))


def _tokens(text: str) -> list[tuple[str, int]]:
    rules, _, data = text.partition("<data>")
    tree = ElementTree.fromstring("<data>" + data)
    sections = [(one.tag, estimated_tokens(ElementTree.tostring(one, encoding="unicode"))) for one in tree]
    return [("rules", estimated_tokens(rules)), *sections, ("in all", estimated_tokens(text))]


def page_of(prompt: Prompt) -> str:
    """Return the page in Markdown."""
    rows = "\n".join(f"| {name} | {tokens:,} |" for name, tokens in prompt.tokens)
    return f"""# The prompt of a reply

What a model is given when somebody talks to the bot: written by `make bench` from a real run in which everything but
the models' own words is as in life. The rules come from `prompts/reply.j2`, the data from
`bot/chat/prompting/`. Members and messages have short ids that code maps back. Tokens are estimated as bytes
by four.

Sections stand in the order below. Each has a share, and all together have {DATA_TOKENS:,} tokens beside the rules;
where that is not enough, memories of the channel go first, then what was found elsewhere, facts about the server, the
summary, and messages. The message to answer is always whole. What is known and has nothing to do with it fills data up
to {USUAL_TOKENS:,} tokens, of those whom it means before all others.

| section | tokens |
|---|---:|
{rows}

````text
{prompt.text}````
"""


async def measure() -> None:
    """Play, print what the prompt takes, and write the page."""
    with tempfile.TemporaryDirectory() as home:
        server = EmbeddedServer(Path(home))
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        prompt = await real_prompt(database)
        await database.close()
        await server.stop()
    PAGE.write_text(page_of(prompt), encoding="utf-8")
    print("prompt of a reply: " + ", ".join(f"{name} {tokens}" for name, tokens in prompt.tokens))
    print()
