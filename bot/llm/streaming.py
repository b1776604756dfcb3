"""Follows a reply while a model writes it, and passes the text so far to a listener."""

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
    """Return an event handler that passes the text so far to `listener`, starting over for each request of a run.

    `prolong` is called as long as the text is being shown. A text that may be wrapped (in a fence, for example) is
    passed on only when it is complete.
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
