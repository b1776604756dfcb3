"""Every command in words has one entry in the table, whether a grammar found it or a model proposed it."""

import re
from pathlib import Path
from typing import get_args

from bot.chat.dispatch import HANDLERS
from bot.chat.intents import PROPOSALS, ModelCommand
from bot.chat.router import RouteKind
from bot.text.commands import Command


def test_every_command_has_one_entry() -> None:
    kinds = [handler.kind for handler in HANDLERS]
    assert len(kinds) == len({*kinds})
    assert {*kinds} == {*get_args(Command), *get_args(ModelCommand)}


def test_a_model_is_told_of_each_kind_that_something_comes_of_and_of_no_other() -> None:
    prompt = (Path(__file__).parents[2] / "prompts/route.j2").read_text(encoding="utf-8")
    told = re.findall(r"^- (\w+): ", prompt.partition("Kinds:")[2].partition("Rules:")[0], re.MULTILINE)
    assert told == [*PROPOSALS] == [*get_args(RouteKind)]
