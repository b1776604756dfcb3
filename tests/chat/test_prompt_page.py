"""The page on the prompt shows what a model is given: every section in its place, within its budget."""

import re

from bench.prompt import PAGE, page_of, real_prompt
from bot.chat.prompting.budget import DATA_TOKENS
from bot.db.pool import Database

SECTIONS = "you now channel server members channel_memories recalled summary messages to_answer".split()


async def test_the_page_shows_the_prompt_of_a_real_run(database: Database) -> None:
    prompt = await real_prompt(database)
    assert [name for name, _ in prompt.tokens] == ["rules", *SECTIONS, "in all"]
    sizes = dict(prompt.tokens)
    assert sizes["in all"] <= sizes["rules"] + DATA_TOKENS
    assert "ramen" in prompt.text
    assert PAGE.read_text(encoding="utf-8") == page_of(prompt)


def test_the_sections_of_the_page_stand_in_their_order() -> None:
    page = PAGE.read_text(encoding="utf-8")
    data = page[page.index("<data>") :]
    places = [re.search(rf"^<{name}[ >]", data, re.MULTILINE) for name in SECTIONS]
    assert [place is not None for place in places] == [True] * len(SECTIONS)
    starts = [place.start() for place in places if place]
    assert starts == sorted(starts)
