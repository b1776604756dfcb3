"""Commands that members give by forms, menus and buttons: one desk for every face."""

from bot.conversation.desk.desk import Desk
from bot.conversation.desk.episodes import EpisodeLine, LeftBehind
from bot.conversation.desk.visit import (
    Choice,
    Line,
    Said,
    Sentence,
    Setting,
    Shown,
    ShownProfile,
    Visit,
)

__all__ = [
    "Choice",
    "Desk",
    "EpisodeLine",
    "LeftBehind",
    "Line",
    "Said",
    "Sentence",
    "Setting",
    "Shown",
    "ShownProfile",
    "Visit",
]
