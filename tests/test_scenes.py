"""What a right answer needs stands in the prompt of the reply, whatever was said where and when."""

import pytest

from bench.scenes.playing import played
from bench.scenes.scene import scenes
from bot.db.pool import Database

_SHARE = 0.9
"""Of the questions of each scene, which share at least is given all that it needs; `python -m bench.scenes` has all."""

_TOKENS = 1_800


@pytest.mark.parametrize("name", ["climbers", "courtyard"])
async def test_the_prompt_of_a_reply_holds_what_a_right_answer_needs(name: str, database: Database) -> None:
    verdicts = await played(name, scenes()[name], database)
    lacking = [(one.question.ask, one.missing) for one in verdicts if one.missing]
    assert [(one.question.ask, one.leaked) for one in verdicts if one.leaked] == []
    assert len(lacking) <= (1 - _SHARE) * len(verdicts), lacking
    assert max(one.tokens for one in verdicts if one.tokens is not None) <= _TOKENS
