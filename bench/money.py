"""What a guild costs a month in money: everything that models are asked for, replies included."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from bench.talk import Talk
from bench.telling import CONVERSATION_OPERATIONS, MEMORY_OPERATIONS
from bench.week import answer, play, settle, stage
from bot.db.pool import Database
from bot.llm import ledger
from bot.llm.budget import Price, Tokens

MEMBERS: Final = 60
MESSAGES_A_DAY: Final = 6_000
QUESTIONS_A_DAY: Final = 90
DAYS: Final = 7
MONTH_DAYS: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one model was asked for in a month."""

    model: str
    purpose: str
    """Whether the memory asked or a reply."""
    calls: int
    input_tokens: int
    output_tokens: int
    """Those thought included."""

    def cost(self, price: Price) -> float:
        """Return what it costs at this price."""
        return price.of(Tokens(input_tokens=self.input_tokens, output_tokens=self.output_tokens))


async def spent_in_a_month(database: Database) -> list[Spent]:
    """Play some days of a guild, its questions answered, and return what thirty such days take."""
    talk = Talk(members=MEMBERS, messages_a_day=MESSAGES_A_DAY, questions_a_day=QUESTIONS_A_DAY)
    async with stage(database) as told:
        keepsake = told.keepsake
        await settle(keepsake.memory, keepsake.directory, talk, now=told.clock.now())
        await keepsake.work.idle()
        before = await _used(database)
        await play(told, [talk.day(number) for number in range(DAYS)], ask=answer)
        after = await _used(database)
    rows = []
    for key, (calls, tokens_in, tokens_out) in sorted(after.items()):
        earlier = before.get(key, (0, 0, 0))
        model, purpose = key
        rows.append(
            Spent(
                model=model,
                purpose=purpose,
                calls=(calls - earlier[0]) * MONTH_DAYS // DAYS,
                input_tokens=(tokens_in - earlier[1]) * MONTH_DAYS // DAYS,
                output_tokens=(tokens_out - earlier[2]) * MONTH_DAYS // DAYS,
            )
        )
    return rows


async def _used(database: Database) -> dict[tuple[str, str], tuple[int, int, int]]:
    rows = await database.read(ledger.usage_since, date(2000, 1, 1))
    used: dict[tuple[str, str], tuple[int, int, int]] = {}
    for row in rows:
        purpose = "memory" if row.operation in (*MEMORY_OPERATIONS, *CONVERSATION_OPERATIONS) else "replies"
        calls, tokens_in, tokens_out = used.get((row.model, purpose), (0, 0, 0))
        used[row.model, purpose] = (
            calls + row.calls,
            tokens_in + row.input_tokens,
            tokens_out + row.output_tokens,
        )
    return used
