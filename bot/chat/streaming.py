"""Shows a reply while a model still writes it, by whole sentences, each checked before it is shown."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from bot.chat.incoming import Route, ShowBeginning
from bot.chat.turn import Turn
from bot.core.errors import KeepsakeError
from bot.core.log import trace
from bot.db.signs import woken
from bot.memory.outbox.answers import Answers, Claim, WrittenAnswer
from bot.text.claims import settled_sentences

logger = logging.getLogger(__name__)


FIRST_WORDS_SECONDS: Final = 2.0
"""Real seconds from the beginning of an answer on: a reply that is whole by then is shown at once, as a whole."""

APART_SECONDS: Final = 1.0
"""Real seconds between two edits, the last one included: more often nobody reads, and Discord takes five in five."""


class StreamedReply:
    """What a model has written of one reply so far, and how much of it is shown.

    What is about to be shown is written down first. Nothing more is shown once that is refused, since something was
    forgotten or another process has taken over, once the face fails, or once what was written may not be said.
    """

    def __init__(
        self,
        turn: Turn,
        claim: Claim,
        answers: Answers,
        show: ShowBeginning,
    ) -> None:
        """The seconds to the first words are counted from now on."""
        self._turn = turn
        self._claim = claim
        self._answers = answers
        self._show = show
        self._first_at = time.monotonic() + FIRST_WORDS_SECONDS
        self._text = ""
        self._settled = ""
        self._news = asyncio.Event()
        self._over = asyncio.Event()
        self._sent_ids: tuple[int, ...] = ()
        self._shown: WrittenAnswer | None = None

    @property
    def shown(self) -> WrittenAnswer | None:
        """What is shown, or is about to be; `None` if nothing is."""
        return self._shown

    @property
    def is_shown(self) -> bool:
        """Whether anything is shown, or about to be, so that no model may start over."""
        return self._shown is not None

    async def still_stands(self) -> bool:
        """Tell whether nothing has taken what is shown, nor the right to show more. Raises `DatabaseError`."""
        return self._shown is None or await self._written_down(self._shown)

    def heard(self, text: str) -> None:
        """Receive everything that a model has written so far; a model that starts over has less."""
        self._text = text
        self._news.set()

    @asynccontextmanager
    async def following(
        self, basis: WrittenAnswer, sayable: Callable[[str], str]
    ) -> AsyncIterator["StreamedReply"]:
        """Show what is heard as long as this lasts; at its end nothing is on its way any more.

        `basis` is an answer with all that a reply rests on. `sayable` returns what may be said of whole sentences;
        `ValueError` if they are to be seen by nobody.
        """
        self._text = self._settled = ""
        self._over.clear()
        showing = asyncio.create_task(self._follow(basis, sayable), name="streamed reply")
        try:
            yield self
        finally:
            self._over.set()
            self._news.set()
            # What is being sent arrives before anything else is.
            await showing

    async def _follow(self, basis: WrittenAnswer, sayable: Callable[[str], str]) -> None:
        await woken(self._over, seconds=max(0.0, self._first_at - time.monotonic()))
        try:
            while not self._over.is_set():
                await self._news.wait()
                self._news.clear()
                settled = settled_sentences(self._text)
                if self._over.is_set() or settled == self._settled:
                    continue
                self._settled, text = settled, sayable(settled)
                if not self._goes_on(text):
                    continue
                if not await self._put(basis, text):
                    return
                await asyncio.sleep(APART_SECONDS)
        except ValueError:
            # The whole reply will be refused for it too, by the check of the operation.
            logger.info("message %d: its reply is shown no further", self._turn.message.message_id)
        except KeepsakeError as error:
            logger.warning(
                "message %d: its reply is shown no further: %s", self._turn.message.message_id, trace(error)
            )

    def _goes_on(self, text: str) -> bool:
        """Tell whether `text` says more than is shown, and nothing else: what was seen is changed at the end alone."""
        shown = self._shown.parts[0] if self._shown is not None else ""
        return text != shown and text.startswith(shown)

    async def _put(self, basis: WrittenAnswer, text: str) -> bool:
        """Write `text` down and show it; `False` if nothing more may be shown."""
        message = self._turn.message
        answer = replace(basis, route=Route.CHAT, parts=(text,))
        if not await self._written_down(answer):
            return False
        self._shown = answer
        sent_ids = tuple(await self._show(await self._turn.outcome(answer)))
        if sent_ids != self._sent_ids:
            await self._answers.note_begun(message, self._claim, sent_ids=sent_ids)
            self._sent_ids = sent_ids
        return True

    async def _written_down(self, answer: WrittenAnswer) -> bool:
        return await self._answers.begin(
            self._turn.message,
            self._claim,
            answer,
            memory_epoch=self._turn.memory_epoch,
            own_guild_ids=self._turn.view.own_guild_ids,
        )
