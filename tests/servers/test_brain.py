"""The Gemini server by itself, as somebody who tries the bot by hand starts it."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from pydantic_ai.providers.google import GoogleProvider

from tests.servers.brain import small_talk

ROOT = Path(__file__).parents[2]


@pytest.mark.processes
async def test_run_alone_it_answers_and_shows_sizes_but_no_words() -> None:
    command = [sys.executable, "-m", "tests.servers.gemini", "--port", "0"]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        url = re.search(r"http://127\.0\.0\.1:\d+", (await process.stdout.readline()).decode())
        assert url
        async with GoogleProvider(api_key="my-secret-key", base_url=url[0]) as google:
            models = google.client.aio.models
            response = await models.generate_content(model="gemini-flash-latest", contents="hello, my dear")
        assert response.text == "Hey! How is it going?"
        line = (await process.stdout.readline()).decode()
        assert "gemini-flash-latest  unknown operation  14 characters" in line
        assert "dear" not in line
        assert "secret" not in line
    finally:
        process.terminate()
        await process.wait()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Привет!", "Привет! Как жизнь?"),
        ("что нового?", "Хороший вопрос, сам бы послушал."),
        ("thanks a lot", "Any time."),
        ("I had ramen", "I see. And then?"),
    ],
)
def test_small_talk_answers_in_the_language_of_the_message(text: str, said: str) -> None:
    assert small_talk(text) == said
