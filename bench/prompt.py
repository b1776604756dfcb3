"""Plays a talk to the bot, with answers written beforehand in place of models, and writes its last prompt down."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from bench.homes import own_home
from bench.stage import Stage, unhurried
from bot.app import Keepsake, assembled
from bot.chat.prompting.budget import DATA_TOKENS, USUAL_TOKENS
from bot.core.clock import SetClock
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from bot.llm.framing import estimated_tokens
from tests.scripted_models import ScriptedModels

PAGE: Final = Path(__file__).parent.parent / "docs" / "prompt.md"

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


class Evening(Stage):
    """An evening of friends, and what they told the bot in the weeks before."""

    def __init__(self, keepsake: Keepsake, clock: SetClock) -> None:
        super().__init__(
            keepsake,
            clock,
            members=("Alice", "Bob", "Саша"),
            channels=("general", "games"),
            persona="A dry old librarian, fond of cats.",
            between=timedelta(seconds=30),
        )

    async def play_evening(self) -> None:
        """Let everything be said that comes before the evening's last message, from three weeks before on."""
        await self.set_up()
        await self.play(_LONG_AGO, channel="general", at=BEGINS)
        await self.play(_IN_GAMES, channel="games", at=BEGINS + timedelta(days=8))
        await self.play(_LAST_WEEK, channel="general", at=BEGINS + timedelta(days=14))
        # So much time passes that the conversation is over.
        self.clock.advance(timedelta(hours=2))
        await self.settle()
        await self.play(_TODAY, channel="general", at=BEGINS + timedelta(days=20))

    async def play(self, lines: Sequence[tuple[str, str]], *, channel: str, at: datetime) -> None:
        """Let the lines be said, half a minute apart, and wait for all that they make necessary."""
        self.clock.set(at)
        for author, text in lines:
            await self.say(author, text, channel)
            # What is summed up when must not depend on how busy the machine is.
            await self.settle()


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
            "text": "Bob came back from the river, soaked, and Alice had a long shift; Саша repaired a bike."
        },
        learn_profile={
            "profile": "@u1 asks what others think, and to have something nice said.",
            "facts": [],
        },
    )


async def real_prompt(database: Database) -> Prompt:
    """Play the talk and return the prompt of the reply to its last line."""
    models = _models()
    clock = SetClock(BEGINS)
    settings = Settings(_env_file=None, learn_every_turns=1, summary_every_messages=5)
    # What a page shows must not depend on how busy the machine is.
    with unhurried(models):
        async with assembled(settings, clock, database) as keepsake:
            stage = Evening(keepsake, clock)
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
`bot/chat/prompting/`. Members, and messages that another one answers, have short ids that code maps back. Tokens are
estimated as bytes by four.

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
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        prompt = await real_prompt(database)
        await database.close()
        await server.stop()
    PAGE.write_text(page_of(prompt), encoding="utf-8")
    print("prompt of a reply: " + ", ".join(f"{name} {tokens}" for name, tokens in prompt.tokens))
    print()
