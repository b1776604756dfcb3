"""Commands that members give by forms, menus and buttons: one desk for every face."""

from bot.conversation.desk.desk import Desk
from bot.conversation.desk.visit import Choice, Line, Said, Setting, Shown, Visit

__all__ = ["Choice", "Desk", "Line", "Said", "Setting", "Shown", "Visit"]
