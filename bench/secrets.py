"""What looking for secrets costs each message, and how often it sees one where people only talk."""

import time
from collections.abc import Sequence
from typing import Final

from bench.talk import Talk
from bot.text.secrets.masking import masked
from tests.memory.secret_cases import SECRETS, channels

ROUNDS: Final = 5
MEMBERS: Final = 20
MESSAGES: Final = 5_000


async def measure() -> None:
    """Print the mean time of a message, and false alarms, by channel; and the time of one that holds a secret."""
    told = channels()
    if not told:
        talk = Talk(members=MEMBERS, messages_a_day=MESSAGES, questions_a_day=0)
        told = {"made-up talk": [message.text for message in talk.day(0).messages]}
    for name, texts in told.items():
        alarms = sum(masked(text) != text for text in texts)
        print(
            f"looking for secrets in {len(texts)} messages of {name}: {_microseconds(texts):.1f} µs a message,"
            f" {100 * alarms / len(texts):.2f} % false alarms"
        )
    print(
        f"looking for secrets where there is one: {_microseconds([said for said, _ in SECRETS]):.1f} µs a message"
    )
    print()


def _microseconds(texts: Sequence[str]) -> float:
    """Return the mean of the best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for text in texts:
            masked(text)
        best = min(best, time.perf_counter() - began)
    return 1e6 * best / len(texts)
