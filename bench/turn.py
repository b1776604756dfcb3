"""What one turn of a chat costs: prompts with the schemas and tools beside them, as the server of a model sees them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pydantic import SecretStr

from bench import prompt
from bench.stage import unhurried
from bench.telling import teach
from bot.app import assembled
from bot.core.clock import SetClock
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.servers.asked import Asked, tokens_of
from tests.servers.gemini import GeminiServer

TURN_OPERATIONS: Final = ("route", "reply")
"""What is asked for while somebody waits."""

TURNS: Final = {
    "small talk": "Bot, that was a long day, wasn't it?",
    "a question to the memory": "Bot, where was the ramen place by the harbour?",
    "something told about oneself": "Bot, by the way, I moved to Lisbon last week",
    "an order in a language without a grammar": "Bot, merk dir bitte, dass ich keine Nüsse vertrage",
}
"""What is said to the bot, each at the end of the same evening."""

BEFORE: Final = dict(zip(TURNS, (4_840, 4_908, 4_928, 1_723), strict=True))
"""What the same took, counted in the same way, when every message to the bot was routed, answers were held to schemas,
and every reply had the tool."""

MOST_OF_BEFORE: Final = 0.75
"""What a chat turn may take now."""

_ORDERED: Final = "@u1 verträgt keine Nüsse"

BEFORE_CALLS: Final = 1_117
BEFORE_TOKENS: Final = 3_453_743
"""What the week of `bench.days` took then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What was asked of models until one message was answered."""

    name: str
    text: str
    calls: int
    prompt: int
    """Tokens of the prompts."""
    declared: int
    """Tokens of schemas and tools."""
    answers: int

    @property
    def tokens(self) -> int:
        """All that was sent and said."""
        return self.prompt + self.declared + self.answers


async def turns_of(database: Database) -> list[Turn]:
    """Play an evening, have each message said at its end, and return what each took."""
    clock = SetClock(prompt.BEGINS)
    async with GeminiServer() as gemini:
        teach(gemini)
        gemini.answer("route", _route)
        settings = Settings(
            _env_file=None,
            gemini_api_key=SecretStr("x"),
            gemini_base_url=gemini.url,
            learn_every_turns=1,
            summary_every_messages=5,
        )
        with unhurried():
            async with assembled(settings, clock, database) as keepsake:
                stage = prompt.Evening(keepsake, clock)
                await stage.play_evening()
                turns = []
                for number, (name, text) in enumerate(TURNS.items()):
                    gemini.calls.clear()
                    at = prompt.BEGINS + timedelta(days=20, minutes=20 + number)
                    await stage.play([("Alice", text)], channel="general", at=at)
                    turns.append(_turn(name, text, gemini.calls))
    return turns


def _route(asked: Asked) -> Mapping[str, object]:
    """Take what is ordered for an order."""
    if TURNS["an order in a language without a grammar"].partition(", ")[2] not in asked.prompt:
        return {"kind": "chat", "confident": True}
    return {"kind": "remember", "confident": True, "facts": [{"subject": "u1", "text": _ORDERED}]}


def _turn(name: str, text: str, calls: Sequence[Asked]) -> Turn:
    waited = [call for call in calls if call.operation in TURN_OPERATIONS]
    return Turn(
        name=name,
        text=text,
        calls=len(waited),
        prompt=sum(tokens_of(call.prompt) for call in waited),
        declared=sum(tokens_of(call.declared) for call in waited),
        answers=sum(tokens_of(call.answer or "") for call in waited),
    )
