"""Interactions: told to the bot, answered by it within 3 seconds, followed up for 15 minutes."""

import asyncio
import secrets

from tests.servers.discord import interaction_messages
from tests.servers.discord.commands import Commands
from tests.servers.discord.drafts import AskedMessage
from tests.servers.discord.errors import UNKNOWN_MESSAGE, DiscordError, invalid
from tests.servers.discord.interaction import CallbackKind, Choice, FakeInteraction, InteractionKind
from tests.servers.discord.render_messages import message_json
from tests.servers.discord.state import FakeMessage, Json
from tests.servers.discord.waiting import PATIENCE_SECONDS
from tests.servers.discord.world import Event, World

_UNKNOWN_INTERACTION = (404, 10062, "Unknown interaction")
_ALREADY_ANSWERED = (400, 40060, "Interaction has already been acknowledged.")
_UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
_TOKEN_OVER = (401, 50027, "Invalid Webhook Token")

_MOST_CHOICES = 25

_ALLOWED = {
    InteractionKind.COMMAND: {CallbackKind.MESSAGE, CallbackKind.DEFERRED_MESSAGE, CallbackKind.MODAL},
    InteractionKind.COMPONENT: set(CallbackKind) - {CallbackKind.CHOICES},
    InteractionKind.AUTOCOMPLETE: {CallbackKind.CHOICES},
    InteractionKind.MODAL: set(CallbackKind) - {CallbackKind.CHOICES, CallbackKind.MODAL},
}
"""Which answers fit which interaction."""


class Interactions:
    """All interactions of a loopback Discord, and the commands that they come from."""

    def __init__(self, world: World) -> None:
        self.answer_within_seconds = PATIENCE_SECONDS
        """How long the bot has for its first answer; the real Discord gives 3 s, where no tests run beside."""
        self.token_lives_seconds = 900.0
        """How long after an interaction follow-ups are taken; the real Discord's 15 minutes."""
        self.wait_seconds = PATIENCE_SECONDS
        """How long users wait for what was deferred, before a test gives up."""
        self.commands = Commands(world.application_id, world.snowflakes.next)
        self._world = world
        self._by_token: dict[str, FakeInteraction] = {}

    def all(self) -> list[FakeInteraction]:
        """Return all interactions, oldest first."""
        return list(self._by_token.values())

    def shown_to(self, message: FakeMessage) -> FakeInteraction | None:
        """Return the interaction that an ephemeral message answers."""
        return next((one for one in self.all() if message in (*one.messages, one.original)), None)

    def begin(self, interaction: FakeInteraction) -> None:
        """Tell the bot of an interaction."""
        self._by_token[interaction.token] = interaction
        guild = interaction.scene.guild
        body: Json = {
            "id": str(interaction.interaction_id),
            "application_id": str(self._world.application_id),
            "type": int(interaction.kind),
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            **interaction.scene.json(),
        }
        if interaction.message is not None:
            body["message"] = message_json(interaction.message, self._world)
        self._world.announce(
            Event(name="INTERACTION_CREATE", data=body, guild_id=None if guild is None else guild.guild_id)
        )

    def new_token(self) -> str:
        """Return a token that nobody can guess, of about the length of Discord's."""
        return secrets.token_urlsafe(120)

    def respond(self, interaction_id: int, token: str, asked: AskedMessage) -> Json:
        """Take the bot's first answer, and return the body for `with_response`. Raises `DiscordError`."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.interaction_id != interaction_id:
            raise DiscordError(*_UNKNOWN_INTERACTION)
        if interaction.response is not None:
            raise DiscordError(*_ALREADY_ANSWERED)
        if _age(interaction) > self.answer_within_seconds:
            raise DiscordError(*_UNKNOWN_INTERACTION)
        kind = _kind(interaction, asked.body)
        self._carry_out(interaction, kind, asked)
        interaction.response = kind
        interaction.tell()
        return self._told(interaction, kind)

    def follow_up(self, token: str, asked: AskedMessage) -> FakeMessage:
        """Take one more message, which takes the place of one that is loading. Raises `DiscordError`."""
        interaction = self._living(token)
        if interaction.loading and interaction.original is not None:
            message = interaction.original
            interaction_messages.fill(self._world, interaction, message, asked)
        else:
            message = interaction_messages.follow(self._world, interaction, asked)
        interaction.tell()
        return message

    def message(self, token: str, which: str) -> FakeMessage:
        """Return the message "@original", or one with this id, of an interaction. Raises `DiscordError`."""
        interaction = self._living(token)
        known = [message for message in (interaction.original, *interaction.messages) if message is not None]
        wanted = interaction.original if which == "@original" else None
        for message in known:
            if not message.deleted and (message is wanted or which == str(message.message_id)):
                return message
        raise DiscordError(*UNKNOWN_MESSAGE)

    def edit(self, token: str, which: str, asked: AskedMessage) -> FakeMessage:
        """Change a message of an interaction. Raises `DiscordError`."""
        message = self.message(token, which)
        interaction = self._living(token)
        interaction_messages.fill(self._world, interaction, message, asked)
        interaction.tell()
        return message

    def delete(self, token: str, which: str) -> None:
        """Take a message of an interaction away. Raises `DiscordError`."""
        interaction_messages.take_away(self._world, self.message(token, which))
        self._living(token).tell()

    def _living(self, token: str) -> FakeInteraction:
        interaction = self._by_token.get(token)
        if interaction is None:
            raise DiscordError(*_TOKEN_OVER)
        if interaction.response is None:
            raise DiscordError(*_UNKNOWN_WEBHOOK)
        if _age(interaction) > self.token_lives_seconds:
            raise DiscordError(*_TOKEN_OVER)
        return interaction

    def _carry_out(self, interaction: FakeInteraction, kind: CallbackKind, asked: AskedMessage) -> None:
        data: Json = asked.body.get("data") or {}  # type: ignore[assignment]
        inner = AskedMessage(data, asked.files)
        match kind:
            case CallbackKind.MESSAGE:
                interaction_messages.answer(self._world, interaction, inner)
            case CallbackKind.DEFERRED_MESSAGE:
                interaction_messages.think(self._world, interaction, inner)
            case CallbackKind.DEFERRED_UPDATE:
                interaction.original = interaction.message
            case CallbackKind.UPDATE:
                interaction.original = interaction.message
                if interaction.message is not None:
                    interaction_messages.fill(self._world, interaction, interaction.message, inner)
            case CallbackKind.CHOICES:
                interaction.choices = _choices(data)
            case CallbackKind.MODAL:
                interaction.modal = data

    def _told(self, interaction: FakeInteraction, kind: CallbackKind) -> Json:
        scene, original = interaction.scene, interaction.original
        told: Json = {
            "id": str(interaction.interaction_id),
            "type": int(interaction.kind),
            "channel_id": str(scene.channel.channel_id),
        }
        if scene.guild is not None:
            told["guild_id"] = str(scene.guild.guild_id)
        if original is None:
            return {"interaction": told}
        told |= {
            "response_message_id": str(original.message_id),
            "response_message_loading": interaction.loading,
            "response_message_ephemeral": original.ephemeral,
        }
        if kind not in (CallbackKind.MESSAGE, CallbackKind.UPDATE):
            return {"interaction": told}
        message = message_json(original, self._world)
        return {"interaction": told, "resource": {"type": int(kind), "message": message}}


def _age(interaction: FakeInteraction) -> float:
    return asyncio.get_running_loop().time() - interaction.began


def _kind(interaction: FakeInteraction, body: Json) -> CallbackKind:
    asked = body.get("type")
    allowed = set(_ALLOWED[interaction.kind])
    if interaction.message is None:
        allowed -= {CallbackKind.UPDATE, CallbackKind.DEFERRED_UPDATE}
    if asked not in allowed:
        raise invalid("type", "BASE_TYPE_CHOICES", f"Value must be one of {sorted(map(int, allowed))}.")
    return CallbackKind(int(str(asked)))


def _choices(data: Json) -> list[Choice]:
    offered: list[Json] = data.get("choices") or []  # type: ignore[assignment]
    too_long = [choice for choice in offered if not 1 <= len(str(choice["name"])) <= 100]
    if len(offered) > _MOST_CHOICES or too_long:
        raise DiscordError(
            400, 50035, f"Invalid Form Body: at most {_MOST_CHOICES} choices of 1 to 100 letters"
        )
    return [Choice(str(choice["name"]), choice["value"]) for choice in offered]  # type: ignore[arg-type]
