"""The messages that answer interactions: in the channel for all, or ephemeral for one user."""

from tests.servers.discord import drafts, posting
from tests.servers.discord.command_rules import CommandKind
from tests.servers.discord.drafts import AskedMessage
from tests.servers.discord.errors import EMPTY_MESSAGE, DiscordError
from tests.servers.discord.interaction import FakeInteraction, InteractionKind, is_loading
from tests.servers.discord.posting import Draft
from tests.servers.discord.render import user_json
from tests.servers.discord.state import FakeMessage, Json, MessageFlag, MessageType, Reference
from tests.servers.discord.world import World

_ASKABLE = MessageFlag.EPHEMERAL | MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2
"""The flags that the bot may give an answer; the others are Discord's own."""


def answer(world: World, interaction: FakeInteraction, asked: AskedMessage) -> None:
    """Show the first answer. Raises `DiscordError` for what is no message."""
    draft = _whole(world, asked)
    interaction.original = _shown(world, interaction, _dressed(interaction, draft, first=True))
    _take_note(world, interaction, interaction.original)


def think(world: World, interaction: FakeInteraction, asked: AskedMessage) -> None:
    """Show that the bot is thinking; whether that is ephemeral stays so."""
    flags = drafts.contents(world, asked).flags & MessageFlag.EPHEMERAL
    draft = _dressed(interaction, Draft(flags=flags), first=True)
    draft.flags |= MessageFlag.LOADING
    interaction.original = _shown(world, interaction, draft)


def follow(world: World, interaction: FakeInteraction, asked: AskedMessage) -> FakeMessage:
    """Show one more message. Raises `DiscordError` for what is no message."""
    message = _shown(world, interaction, _dressed(interaction, _whole(world, asked), first=False))
    _take_note(world, interaction, message)
    return message


def fill(world: World, interaction: FakeInteraction, message: FakeMessage, asked: AskedMessage) -> None:
    """Change a message, or say what the bot has been thinking of. Raises `DiscordError`."""
    if not is_loading(message):
        if "flags" in asked.body:
            flags = int(str(asked.body["flags"] or 0)) & _ASKABLE & ~MessageFlag.EPHEMERAL
            kept = int(flags | message.flags & MessageFlag.EPHEMERAL)
            asked = AskedMessage({**asked.body, "flags": kept}, asked.files)
        drafts.edit(world, message, asked)
        return
    draft = _whole(world, asked)
    message.text = draft.text
    message.embeds, message.components = list(draft.embeds), list(draft.components)
    message.attachments = list(draft.attachments)
    message.allowed_mentions = draft.allowed_mentions
    # To be thinking first is no version of the message: nobody sees it as edited.
    message.flags = message.flags & MessageFlag.EPHEMERAL | draft.flags & _ASKABLE & ~MessageFlag.EPHEMERAL
    posting.announce_message(world, message, "MESSAGE_UPDATE")
    _take_note(world, interaction, message)


def take_away(world: World, message: FakeMessage) -> None:
    """Delete a message; of an ephemeral one nobody is told."""
    if message.ephemeral:
        message.deleted = True
    else:
        posting.remove(world, [message])


def _whole(world: World, asked: AskedMessage) -> Draft:
    draft = drafts.contents(world, asked)
    if not (draft.text or draft.embeds or draft.attachments or draft.components):
        raise DiscordError(*EMPTY_MESSAGE)
    return draft


def _dressed(interaction: FakeInteraction, draft: Draft, *, first: bool) -> Draft:
    world = interaction.scene.world
    draft.flags &= _ASKABLE
    replied = interaction.message if first else interaction.original
    if first and interaction.command is not None:
        chat = interaction.command.kind is CommandKind.CHAT
        draft.kind = MessageType.CHAT_INPUT_COMMAND if chat else MessageType.CONTEXT_MENU_COMMAND
    elif replied is not None:
        draft.reference = Reference(
            message_id=replied.message_id,
            channel_id=replied.channel.channel_id,
            guild_id=replied.channel.guild_id,
        )
    draft.webhook_id = world.application_id
    draft.extra = {
        "application_id": str(world.application_id),
        "author": user_json(world.bot),
        "interaction_metadata": interaction.metadata(),
    }
    if interaction.command is not None:
        draft.extra["interaction"] = _told_formerly(interaction)
    return draft


def _told_formerly(interaction: FakeInteraction) -> Json:
    command = interaction.command
    return {
        "id": str(interaction.interaction_id),
        "type": int(InteractionKind.COMMAND),
        "name": "" if command is None else command.name,
        "user": user_json(interaction.scene.user),
    }


def _shown(world: World, interaction: FakeInteraction, draft: Draft) -> FakeMessage:
    return posting.post(world, interaction.scene.channel, world.bot, draft)


def _take_note(world: World, interaction: FakeInteraction, message: FakeMessage) -> None:
    interaction.messages.append(message)
    if not message.ephemeral:
        posting.take_note(world, message)
