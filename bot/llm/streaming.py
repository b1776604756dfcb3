"""Reads along while a model writes: whoever listens is told the text so far."""

import re
from collections.abc import AsyncIterable, Callable
from typing import Final

from pydantic_ai import RunContext
from pydantic_ai.agent import EventStreamHandler
from pydantic_ai.messages import AgentStreamEvent, PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

from bot.llm.operation import Listener

_WRAPPED: Final = re.compile(r"\s*(?:[{<]|```|[*_`]*\w+[*_`]*:)")
"""How a text begins that may come in JSON, in a fence, or behind a label."""


def reading_along(listener: Listener, prolong: Callable[[], None]) -> EventStreamHandler[object]:
    """Return what tells `listener` the text so far with each piece of it, for every request of a run anew.

    `prolong` is called as long as somebody reads it. What may be wrapped is told to nobody before it was read as a
    whole.
    """

    async def read(_: RunContext[object], events: AsyncIterable[AgentStreamEvent]) -> None:
        text = ""
        async for event in events:
            match event:
                case PartStartEvent(part=TextPart(content=piece)):
                    text += piece
                case PartDeltaEvent(delta=TextPartDelta(content_delta=piece)):
                    text += piece
                case _:
                    continue
            if _WRAPPED.match(text) is None:
                listener.heard(text)
            if listener.is_shown:
                prolong()

    return read
