"""How many tokens of a prompt each section may take, and how longer text is cut."""

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from markupsafe import Markup

from bot.llm import framing
from bot.llm.framing import BYTES_PER_TOKEN, estimated_tokens

DATA_TOKENS: Final = 8_000
"""All data of one reply. Room for all sections at their longest; with the rules it is still less than the 15,000
tokens that a free-tier model takes in a minute. Usual prompts are a quarter of it."""

USUAL_TOKENS: Final = 1_600
"""Until data has so many, what has nothing to do with the message is told of those whom it means: only a model can see
what is merely implied."""

LEAST_FILL_TOKENS: Final = 150
"""What of that is told in any case: a handful of facts."""

FRAME_TOKENS: Final = 140
"""The tags around the sections, which are always there."""

BOT_NAME_TOKENS: Final = 30
"""Names of the bot, of a member and of a channel are short; one that is not says nothing more by its end."""

CHANNEL_TOKENS: Final = 30
NAME_TOKENS: Final = 16
ALSO_KNOWN_TOKENS: Final = 24

PERSONA_TOKENS: Final = 400
"""A page of character; a longer one would make every reply dearer and say no more."""

MEMBERS_TOKENS: Final = 800
"""Twelve members with long names in a script of two bytes a letter."""

MEMORIES_TOKENS: Final = 2_400
"""What is known about all of them together: what the bot is for, so as much as the messages get."""

MEMORY_TOKENS: Final = 1_000
"""What is known about one member: about 4,000 characters, so that one does not crowd out the others."""

CONTEXT_TOKENS: Final = 400
"""800 characters of a script of two bytes a letter."""

PROFILE_TOKENS: Final = 500
"""Of who asks: most of a profile, which has 1,500 characters."""

OTHERS_PROFILE_TOKENS: Final = 160
"""Of anybody else: its first paragraph."""

REPLIED_TOKENS: Final = 400
"""The message replied to: it is half of the question, and 1,600 letters of it tell what it was about."""

MESSAGES_TOKENS: Final = 2_400
"""What was said before: forty messages of 240 letters; usual ones are far shorter."""

MESSAGE_TOKENS: Final = 250
"""One of them: 1,000 letters, so that a pasted log does not push out the talk around it."""

SHORT_FORMS: Final = ((250, 250), (250, 90), (250, 40), (120, 40), (90, 30), (60, 30), (30, 20))
"""Tokens of one of the last messages, and of one before them: the first form in which all find room is taken."""

LAST_MESSAGES: Final = 12
"""The last messages, which stay whole the longest."""

CHAIN_TOKENS: Final = 600
"""Of the messages' share: the replies that lead up to the message, before what only stood near it."""

SUMMARY_TOKENS: Final = 600
"""What was said before these: the whole of a rolling summary."""

RECALLED_TOKENS: Final = 1_000
"""What was found elsewhere: twenty short messages, or fewer with the talk around them."""

LEAST_RECALLED_TOKENS: Final = 550
"""What of that is told however long a prompt is; the rest only fills a usual one."""

FOUND_TOKENS: Final = 90
"""One of them."""

AROUND_TOKENS: Final = 40
"""What was said before or after one of them."""

BEST_FOUND: Final = 6
"""Of what was found, the talk around these comes before the others."""

FOUND_FIRST: Final = 12
"""So many come before that talk, which may say nothing."""

EPISODES_TOKENS: Final = 1_000
"""What earlier conversations left behind: `EPISODES_CHARACTERS` of a script of two bytes a letter."""

EPISODES_CHARACTERS: Final = 2_000

GROUP_TOKENS: Final = 300
"""What the group decided and plans: the last ten things."""

SERVER_TOKENS: Final = 300
"""Facts about the guild."""

T = TypeVar("T")

_CUT: Final = "…"
_LINE_BREAKS: Final = re.compile(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]")
_UNWRITABLE: Final = frozenset({"Cc", "Cs"})


class TokenRoom:
    """The tokens that are left; sections ask in the order in which they matter, and the last get what remains."""

    def __init__(self, tokens: int) -> None:
        self.left = tokens

    def share(self, tokens: int) -> int:
        """Return how many of `tokens` a section may use at most."""
        return max(0, min(tokens, self.left))

    def usual_share(self, *, at_least: int) -> int:
        """Return how much a section may use that only fills a usual prompt, and may have so many tokens in any case."""
        used = DATA_TOKENS - FRAME_TOKENS - self.left
        return self.share(max(at_least, USUAL_TOKENS - used))

    def take(self, tokens: int) -> None:
        """Note that `tokens` have been used."""
        self.left -= tokens


def cost(piece: Markup) -> int:
    """Return the tokens that `piece` takes on a line of its own."""
    return estimated_tokens(piece + "\n")


def clipped(text: str, tokens: int) -> str:
    """Return `text`, or as much of its beginning as takes `tokens` once it is escaped, with "…" at its end."""
    allowed = tokens * BYTES_PER_TOKEN
    if _bytes(text) <= allowed:
        return text
    allowed -= _bytes(_CUT)
    if allowed < 0:
        return ""
    used = itertools.accumulate(map(_bytes_of_letter, text))
    fitting = sum(1 for _ in itertools.takewhile(lambda size: size <= allowed, used))
    return text[:fitting].rstrip() + _CUT


def cleaned(text: str) -> str:
    """Return `text` without characters that only control a screen; line breaks and tabs stay."""
    if text.isprintable():
        return text.strip()
    lines = _LINE_BREAKS.sub("\n", text)
    return "".join(
        letter for letter in lines if letter in "\n\t" or unicodedata.category(letter) not in _UNWRITABLE
    ).strip()


def in_turns(queues: Sequence[Sequence[T]]) -> Iterator[tuple[int, T]]:
    """Return the pieces of all queues, the first of each, then the second of each, with the queue's number."""
    for round_of_pieces in itertools.zip_longest(*queues):
        for number, piece in enumerate(round_of_pieces):
            if piece is not None:
                yield number, piece


@lru_cache(maxsize=1_024)
def _bytes_of_letter(letter: str) -> int:
    return _bytes(letter)


def _bytes(text: str) -> int:
    return len(framing.escaped(text).encode("utf-8", "replace"))
