"""A few rules in place of a mind, so that the bot can be tried by hand against the loopback server."""

import argparse
import asyncio
import html
import json
import re

from tests.said import said_in
from tests.servers import samples
from tests.servers.asked import Asked
from tests.servers.base import Reply
from tests.servers.gemini import GeminiServer

_FACT = re.compile(r"<fact\b[^>]*>(.*?)</fact>", re.DOTALL)

_SAYINGS = (
    (re.compile(r"[а-яё].*\?", re.I | re.S), "Хороший вопрос, сам бы послушал."),
    (re.compile(r"привет|здравствуй|здорово", re.I), "Привет! Как жизнь?"),
    (re.compile(r"[а-яё]", re.I), "Понимаю. И что дальше?"),
    (re.compile(r"\b(hi|hello|hey|morning|evening)\b", re.I), "Hey! How is it going?"),
    (re.compile(r"\b(thanks|thank you|thx)\b", re.I), "Any time."),
    (re.compile(r"\?"), "Good question, I'd like to know that too."),
)


def small_talk(text: str) -> str:
    """Return something short to say to `text`, in Russian if it is, else in English."""
    return next((said for pattern, said in _SAYINGS if pattern.search(text)), "I see. And then?")


def think(asked: Asked) -> Reply:
    """Return an answer by rule: facts are told one after another, a message is answered with small talk.

    Where lines or a schema are asked for, the smallest answer that fits carries that text.
    """
    if asked.operation is not None and asked.operation.startswith("merge"):
        said = " ".join(html.unescape(found).strip() for found in _FACT.findall(asked.text))
    else:
        told = said_in(asked.text)
        said = small_talk(told[-1].text if told else asked.text)
    if asked.schema is None:
        return samples.lines_for(asked.operation, said)
    made = samples.sample(asked.schema, said)
    return made if isinstance(made, dict) else json.dumps(made, ensure_ascii=False)


def report(asked: Asked) -> str:
    """Return one line about a request: what it is and how large, with nothing of what was written in it."""
    name = asked.operation or "unknown operation"
    size = f"{len(asked.prompt)} characters  about {asked.tokens} tokens  {len(asked.images)} images"
    return f"{asked.model}  {name}  {size}"


async def serve(port: int) -> None:
    """Answer on `port` by rule, with a line on the screen for each request, until interrupted."""

    def answered(asked: Asked) -> Reply:
        print(report(asked), flush=True)
        return think(asked)

    async with GeminiServer(port=port) as server:
        server.default = answered
        print(f"Listening. GEMINI_API_KEY=x GOOGLE_GEMINI_BASE_URL={server.url} keepsake chat", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Run the server alone, as `python -m tests.servers.gemini`."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.gemini", description=main.__doc__)
    parser.add_argument("--port", type=int, default=8765, help="port of 127.0.0.1 to listen on")
    try:
        asyncio.run(serve(parser.parse_args().port))
    except KeyboardInterrupt:
        return
