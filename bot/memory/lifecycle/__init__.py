"""The life of facts: what is learned, what holds, what contradicts, what ends.

Everything that was said of one subject under one key, in one audience, is a line; one thing in it holds at a time.
Nothing is decided by who came first: whoever changes a line holds it, and settles it anew from all that was said.
"""

from bot.memory.lifecycle.contradicting import Contradiction
from bot.memory.lifecycle.ending import expire
from bot.memory.lifecycle.learning import learn, learned_of, notice, withdraw
from bot.memory.lifecycle.past import is_past
from bot.memory.lifecycle.settling import settle

__all__ = [
    "Contradiction",
    "expire",
    "is_past",
    "learn",
    "learned_of",
    "notice",
    "settle",
    "withdraw",
]
