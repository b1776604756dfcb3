"""Every command in words has one entry in the table, whether a grammar found it or a model proposed it."""

from typing import get_args

from bot.chat.handlers import HANDLERS
from bot.chat.intents import AskAbout, Chat, ModelCommand, Silence
from bot.text.commands import Command


def test_every_command_has_one_entry() -> None:
    replied_to = {AskAbout, Chat, Silence}
    kinds = [handler.kind for handler in HANDLERS]
    assert len(kinds) == len({*kinds})
    assert {*kinds} == {*get_args(Command), *get_args(ModelCommand)} - replied_to
