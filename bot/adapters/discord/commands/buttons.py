"""Buttons and lists that survive a restart: the id of each encodes what it does, and to what."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import new_class
from typing import ClassVar, Final, Self, TypeAlias, cast, dataclass_transform

import discord

from bot.adapters.discord.commands.interactions import InteractionHandler, tell_failure
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.usecases import UseCases

_NUMBER: Final = "[0-9]{1,19}"
MOST_ID_CHARACTERS: Final = 100
"""Of the id of a button, as Discord takes it."""

Item: TypeAlias = discord.ui.Item[discord.ui.View]

Page: TypeAlias = tuple[str, discord.ui.View | None]
"""A message as it is shown: its text, and what is below it."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Action:
    """What happens when a button is pressed, or something is chosen from a list.

    Each kind is a subclass with a `word` of its own; those without one are only there to be derived from. Its fields
    are what it is about, and stand in the id behind the word: numbers, and texts for which `patterns` has a regular
    expression. An id may be forged, so rights are looked at when it is pressed.
    """

    word: ClassVar[str]
    patterns: ClassVar[Mapping[str, str]] = {}
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary
    of_channel: ClassVar[bool] = False
    """Whether the rights count that a member has in the channel alone: see `RequestContexts.request`."""
    button_type: ClassVar[type["ActionButton"]]

    def __init_subclass__(cls, *, word: str = "", patterns: Mapping[str, str] | None = None) -> None:
        if not word:
            return
        cls.word, cls.patterns = word, patterns or {}
        dataclass(frozen=True, kw_only=True)(cls)
        template = ":".join([word, *(f"(?P<{name}>{pattern})" for name, pattern in cls._parts().items())])
        # The library finds a class by the pattern of an id, so each kind needs one.
        compiled = re.compile(template, re.DOTALL)
        made = new_class(f"{cls.__name__}Button", (ActionButton,), {"template": compiled})
        cls.button_type = cast("type[ActionButton]", made)
        cls.button_type.action_type = cls

    @classmethod
    def _parts(cls) -> dict[str, str]:
        return {one.name: cls.patterns.get(one.name, _NUMBER) for one in fields(cls)}  # type: ignore[arg-type]

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """Return the action that an id stands for."""
        parts = {name: match[name] for name in cls._parts()}
        return cls(**{name: text if name in cls.patterns else int(text) for name, text in parts.items()})

    @property
    def custom_id(self) -> str:
        """The id of its button."""
        return ":".join([self.word, *(str(getattr(self, name)) for name in self._parts())])

    def button(self, label: str, *, row: int | None = None) -> "ActionButton":
        """Return a button for it."""
        return self.item(discord.ui.Button(label=label, style=self.style, custom_id=self.custom_id, row=row))

    def item(self, item: Item) -> "ActionButton":
        """Return `item`, which has the id of this action, so that using it carries the action out."""
        return self.button_type(item, self)

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Handle a press; errors are reported to whoever pressed."""
        request = await handler.press(interaction, of_channel=self.of_channel)
        await self.pressed(handler, interaction, request)

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Do it, and change the message that has the button; Discord knows already that it was pressed."""
        raise NotImplementedError


class ListAction(Action):
    """Turns a page of a list, or changes what is listed, and shows the updated list in its place."""

    async def done(self, use_cases: UseCases, request: RequestContext) -> str:
        """Do it, and return what came of that; "" where only a page is turned."""
        return ""

    async def shown(self, use_cases: UseCases, request: RequestContext, first: str) -> Page:
        """Return the page as it is now, below `first` if that says something."""
        raise NotImplementedError

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Do it, and put the page in the place of the one that is shown."""
        first = await self.done(handler.use_cases, request)
        text, view = await self.shown(handler.use_cases, request, first)
        await interaction.edit_original_response(content=text, view=view)


class ActionButton(discord.ui.DynamicItem[discord.ui.Item[discord.ui.View]], template=r"(?!)"):
    """A button or a list as the library takes it. No id is this one's own: each action has a subclass."""

    handler: ClassVar[InteractionHandler]
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""
    action_type: ClassVar[type[Action]]

    def __init__(self, item: Item, action: Action) -> None:
        super().__init__(item)
        self._action = action

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, item: Item, match: re.Match[str], /
    ) -> Self:
        """Return the button that was pressed."""
        return cls(item, cls.action_type.from_match(match))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Carry out the action."""
        with self.handler.under_way.busy():
            try:
                await self._action.click(self.handler, interaction)
            except Exception as error:
                await tell_failure(interaction, error)


def install_buttons(client: discord.Client, handler: InteractionHandler) -> None:
    """Have `client` know the buttons of all actions."""
    ActionButton.handler = handler
    client.add_dynamic_items(*ActionButton.__subclasses__())


def chosen_ids(interaction: discord.Interaction) -> list[int]:
    """Return the ids that were chosen from a list."""
    values = cast("Mapping[str, object]", interaction.data or {}).get("values", ())
    return [int(value) for value in cast("list[str]", values) if value.isdigit()]


def view_of(*items: ActionButton) -> discord.ui.View | None:
    """Return what holds these below a message; `None` if there are none."""
    if not items:
        return None
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view


def paged(
    request: RequestContext,
    text: Sequence[str],
    turn_to: Callable[[int], Action],
    *buttons: ActionButton,
    page: int,
    pages: int,
    row: int | None = None,
) -> Page:
    """Return a page, counted from 0, with which one it is, `buttons`, and those to the pages before and after it."""
    number = [] if pages == 1 else [f"-# {request.say('command.page', page=page + 1, pages=pages)}"]
    around = ((page - 1, "command.earlier"), (page + 1, "command.later"))
    turning = [
        turn_to(other).button(request.say(label), row=row) for other, label in around if 0 <= other < pages
    ]
    return "\n".join([*text, *number]), view_of(*buttons, *turning)
