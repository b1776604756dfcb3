"""One thing that a user did with a command, a button or a form, and what the bot made of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from tests.servers.discord.commands import FakeCommand
from tests.servers.discord.render import user_json
from tests.servers.discord.scene import Scene
from tests.servers.discord.state import FakeMessage, Json, MessageFlag
from tests.servers.discord.waiting import PATIENCE_SECONDS


class InteractionKind(IntEnum):
    """Discord's types of interactions."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class CallbackKind(IntEnum):
    """Discord's types of answers to an interaction."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class NotAnsweredError(AssertionError):
    """The user was shown "The application did not respond"."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One proposal for an option that is being typed into."""

    name: str
    value: str | int | float


@dataclass(slots=True, eq=False, kw_only=True)
class FakeInteraction:
    """An interaction and all that the bot has answered to it so far."""

    interaction_id: int
    token: str
    kind: InteractionKind
    scene: Scene
    data: Json
    began: float
    """When it was told to the bot, in seconds of the event loop's clock."""
    command: FakeCommand | None = None
    message: FakeMessage | None = None
    """The message whose component was used, also if that opened the form that was sent in."""
    opened_by: "FakeInteraction | None" = None
    """Of a form that was sent in: what it was the answer to."""
    response: CallbackKind | None = None
    original: FakeMessage | None = None
    """What Discord knows as the interaction's `@original` message."""
    messages: list[FakeMessage] = field(default_factory=list)
    """What the user was shown, in order: the answer and the follow-ups, none that is still loading."""
    choices: list[Choice] = field(default_factory=list)
    modal: Json | None = None
    """The form that the user was shown."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def deferred(self) -> bool:
        """Whether the bot asked for time first."""
        return self.response in (CallbackKind.DEFERRED_MESSAGE, CallbackKind.DEFERRED_UPDATE)

    @property
    def updated(self) -> bool:
        """Whether the answer was to change the message that had the component."""
        return self.response in (CallbackKind.UPDATE, CallbackKind.DEFERRED_UPDATE)

    @property
    def ephemeral(self) -> bool:
        """Whether the answer is seen by the user alone."""
        return self.original is not None and self.original.ephemeral

    @property
    def loading(self) -> bool:
        """Whether the user sees that the bot is thinking."""
        return self.original is not None and is_loading(self.original)

    @property
    def text(self) -> str:
        """The text of the answer as it stands now. Raises `NotAnsweredError` where no message was shown."""
        if not self.messages:
            raise NotAnsweredError(f"{self.name} was answered with {self.response!r}, without a message")
        return self.messages[0].text

    @property
    def name(self) -> str:
        """What the user did, for messages of errors."""
        what = self.data.get("name") or self.data.get("custom_id")
        return f"{self.kind.name.lower()} {what!r} of {self.scene.user.name}"

    async def until(
        self, holds: Callable[["FakeInteraction"], bool], seconds: float = PATIENCE_SECONDS
    ) -> None:
        """Wait until `holds` of this interaction. Raises `NotAnsweredError` after that many seconds."""
        try:
            async with asyncio.timeout(seconds):
                while not holds(self):
                    await self._news.wait()
        except TimeoutError:
            state = "nothing" if self.response is None else self.response.name
            raise NotAnsweredError(
                f"{self.name}: waited {seconds} s in vain; answered so far: {state}, {len(self.messages)} messages"
            ) from None

    async def shown(self, count: int = 1, seconds: float = PATIENCE_SECONDS) -> list[FakeMessage]:
        """Wait until the user was shown this many messages, and return them.

        Raises `NotAnsweredError` after that many seconds.
        """
        await self.until(lambda interaction: len(interaction.messages) >= count, seconds)
        return self.messages

    def tell(self) -> None:
        """Wake all who wait for something here."""
        self._news.set()
        self._news = asyncio.Event()

    def metadata(self) -> Json:
        """Return what messages say of the interaction that they answer."""
        guild = self.scene.guild
        body: Json = {
            "id": str(self.interaction_id),
            "type": int(self.kind),
            "user": user_json(self.scene.user),
            "authorizing_integration_owners": {"0": "0" if guild is None else str(guild.guild_id)},
        }
        if self.kind is InteractionKind.COMPONENT and self.message is not None:
            body["interacted_message_id"] = str(self.message.message_id)
        if self.opened_by is not None:
            body["triggering_interaction_metadata"] = self.opened_by.metadata()
        return body


def is_loading(message: FakeMessage) -> bool:
    """Return whether `message` only says that the bot is thinking."""
    return bool(message.flags & MessageFlag.LOADING)
