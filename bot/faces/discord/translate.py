"""A message of Discord's becomes one of ours: who wrote it, what it says, what it carries."""

from typing import Final

import discord

from bot.domain import Member, Message, MessageKind, Origin
from bot.faces.discord.carried import carried, poll_closed
from bot.faces.discord.words import displayed, kept

_COMMANDED: Final = frozenset(
    {discord.MessageType.chat_input_command, discord.MessageType.context_menu_command}
)
_ANSWERING: Final = _COMMANDED | {discord.MessageType.reply}
_SAID: Final = _ANSWERING | {discord.MessageType.default}
"""Types of messages that somebody wrote. All others, also those yet to come, are Discord's announcements."""

_TITLED: Final = frozenset(
    {
        discord.MessageType.channel_name_change,
        discord.MessageType.thread_created,
        discord.MessageType.stage_start,
        discord.MessageType.stage_end,
        discord.MessageType.stage_topic,
    }
)
"""Announcements whose content is a name that somebody gave; elsewhere it is a number or a date."""

_DELETED_USER_ID: Final = 456226577798135808
"""The account in whose name Discord keeps what was written by those who are gone: many people under one id."""

_MAX_NAME_CHARACTERS: Final = 100
"""Names of members have 32 at most, those of webhooks 80."""


def message_of(message: discord.Message, *, audience: int, from_visitor: bool = False) -> Message:
    """Return `message` as it is kept, heard in a channel of `audience`, perhaps of one who lacks the base role.

    A direct message belongs to a guild with its channel's id. A text or attachment that is not for keeping
    (ephemeral, or an announcement without words) is left out; the message itself never is.
    """
    author = _author_of(message)
    return Message(
        guild_id=guild_id_of(message),
        channel_id=message.channel.id,
        message_id=message.id,
        user_id=author.id if author is not None else 0,
        audience=audience,
        kind=kind_of(message),
        text=text_of(message),
        attachments=attachments_of(message),
        timestamp=message.created_at,
        edited_at=message.edited_at,
        reply_to_id=_reply_to_id(message),
        from_visitor=from_visitor,
        forwarded=_origin(message),
    )


def guild_id_of(message: discord.Message) -> int:
    """Return the guild that `message` belongs to; in a direct message the id of its channel."""
    if message.guild is not None:
        return message.guild.id
    channel = message.channel
    if isinstance(channel, discord.PartialMessageable) and channel.guild_id is not None:
        return channel.guild_id
    return channel.id


def kind_of(message: discord.Message) -> MessageKind:
    """Return who wrote `message`: a member, a bot, a webhook, or Discord itself."""
    author = _author_of(message)
    if message.type not in _SAID or author is None or author.system or author.id == _DELETED_USER_ID:
        return MessageKind.SYSTEM
    if message.webhook_id is not None and not _answers_a_command(message):
        return MessageKind.WEBHOOK
    return MessageKind.BOT if author.bot or message.webhook_id is not None else MessageKind.MEMBER


def text_of(message: discord.Message) -> str:
    """Return the words of `message`: its content, or those that its components show; "" if there are none."""
    if _is_left_out(message) or (message.type not in _SAID and message.type not in _TITLED):
        return ""
    # The library sets no components where Discord left them out.
    words = message.content or "\n".join(displayed(getattr(message, "components", ())))
    return kept(_meaning_the_bot(words, message.guild))


def _meaning_the_bot(words: str, guild: discord.Guild | None) -> str:
    """Return `words` with a mention of the bot instead of one of the role that it brought along.

    Both have the bot's name, and whoever picks the wrong one of the two from Discord's list means the bot.
    """
    role = guild.self_role if guild is not None and "<@&" in words else None
    if role is None or role.tags is None:
        return words
    return words.replace(role.mention, f"<@{role.tags.bot_id}>")


def attachments_of(message: discord.Message) -> tuple[str, ...]:
    """Return what `message` carries in short plain words, such as `[image: cat.png]`; never an address."""
    if _is_left_out(message):
        return ()
    if message.type is discord.MessageType.poll_result:
        return poll_closed(message)
    # An announcement may quote what moderation kept from being posted.
    return carried(message) if message.type in _SAID else ()


def member_of(member: discord.Member | discord.User, *, guild_id: int) -> Member:
    """Return `member` with the names by which a guild knows them; a user who is no member has no nickname."""
    nickname = member.nick if isinstance(member, discord.Member) else None
    return Member(
        guild_id=guild_id,
        user_id=member.id,
        user_name=_name(member.name),
        display_name=_name(member.global_name),
        nickname=_name(nickname),
        is_bot=member.bot,
    )


def _name(name: str | None) -> str:
    return kept(name or "")[:_MAX_NAME_CHARACTERS]


def _author_of(message: discord.Message) -> discord.Member | discord.User | None:
    """Return who wrote `message`, `None` if Discord did not say: then the library sets no author at all."""
    return getattr(message, "author", None)


def _answers_a_command(message: discord.Message) -> bool:
    """Tell whether the webhook behind `message` is the one by which a bot answers its commands."""
    return (
        message.webhook_id == message.application_id
        or message.type in _COMMANDED
        or message.interaction_metadata is not None
    )


def _is_left_out(message: discord.Message) -> bool:
    """Tell whether the words of `message` are for one pair of eyes, or were taken back where they came from."""
    return message.flags.ephemeral or message.flags.source_message_deleted


def _reply_to_id(message: discord.Message) -> int | None:
    """Return what `message` answers; forwards, crossposts, pins and threads refer to messages too."""
    reference = message.reference
    if reference is None or message.type not in _ANSWERING:
        return None
    return reference.message_id if reference.type is discord.MessageReferenceType.reply else None


def _origin(message: discord.Message) -> Origin | None:
    """Return what `message` forwards; a message that was said in private belongs to a guild with its channel's id."""
    reference = message.reference
    if reference is None or reference.type is not discord.MessageReferenceType.forward:
        return None
    if reference.message_id is None:
        return None
    return Origin(guild_id=reference.guild_id or reference.channel_id, message_id=reference.message_id)
