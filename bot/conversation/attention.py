"""What the bot listens to, what of it is for the bot, and how much of that it answers."""

from dataclasses import dataclass, replace
from typing import Final

from bot.choices import Answering
from bot.clock import Clock
from bot.conversation.addressed import Addressed, addressed
from bot.conversation.choosing import LONGEST_CHOICE
from bot.conversation.hearing import Hearing
from bot.conversation.pace import Pace, TalkOfBots
from bot.conversation.router import WRITES, route_of
from bot.domain import Channel, Message, MessageKind
from bot.memory.answering import Circumstances

_LONGEST_MENTION: Final = len(" <@!9223372036854775807>")


@dataclass(frozen=True, slots=True)
class Heard:
    """A message where the bot may answer, and whether it is for the bot."""

    circumstances: Circumstances
    said: Addressed
    """What it says to the bot, or all of it."""
    is_called: bool
    """Whether the bot was mentioned, replied to, called by name, or spoken to where nobody else is."""
    is_for_bot: bool
    """Whether it is called, or said where everything is answered."""

    def without_question(self) -> "Heard":
        """Return this without what the bot asked: it settles nothing."""
        return replace(self, circumstances=replace(self.circumstances, question=None))


class Attention:
    """Decides by what holds in a channel and by what was said lately; it reads and writes nothing."""

    def __init__(self, clock: Clock, *, answer_bots: bool) -> None:
        self._clock = clock
        self._answer_bots = answer_bots
        self._pace = Pace()
        self._bots = TalkOfBots()

    def listens(self, hearing: Hearing) -> bool:
        """Tell whether a message may be answered at all, by who wrote it; call it for every message."""
        message = hearing.message
        if message.kind is MessageKind.MEMBER:
            if not hearing.late:
                self._bots.member_spoke(message.channel_id)
            return True
        return is_other_bot(hearing) and self._answer_bots and not hearing.late

    def may_settle(self, message: Message) -> bool:
        """Tell whether `message` is short enough, and of somebody, to settle what the bot asked."""
        short = len(message.text) <= LONGEST_CHOICE + _LONGEST_MENTION
        return short and message.kind is MessageKind.MEMBER

    def heard(self, hearing: Hearing, circumstances: Circumstances) -> Heard | None:
        """Return what a message says to the bot; `None` where the bot is to be silent."""
        guild, channel = circumstances.place.guild, circumstances.place.channel
        if guild is not None and not guild.hearing:
            return None
        if channel is not None and self._is_silent_in(channel):
            return None
        said = _addressed(hearing, circumstances.replied_to, direct=hearing.direct)
        if said is not None:
            return Heard(circumstances, said, is_called=True, is_for_bot=True)
        message = hearing.message
        always = channel is not None and channel.answering is Answering.ALWAYS
        if always and message.kind is MessageKind.MEMBER and message.text.strip():
            said = _addressed(hearing, circumstances.replied_to, direct=True)
        is_for_bot = said is not None
        return Heard(circumstances, said or Addressed(message.text), is_called=False, is_for_bot=is_for_bot)

    def keeps_pace(self, hearing: Hearing) -> bool:
        """Count a message to the bot that is claimed; `False` if its author, who is no moderator, floods the bot."""
        if not hearing.paced or hearing.from_moderator:
            return True
        message = hearing.message
        said_at = message.edited_at or message.timestamp
        return self._pace.admits(guild_id=message.guild_id, user_id=message.user_id, said_at=said_at)

    def may_tell_to_slow_down(self, hearing: Hearing) -> bool:
        """Tell whether who floods the bot has not been told so yet; `True` once."""
        message = hearing.message
        return self._pace.may_be_told(guild_id=message.guild_id, user_id=message.user_id)

    def keeps_company(self, hearing: Hearing) -> bool:
        """Count an answer to another bot; `False` if no member has spoken there for too many of them."""
        return self._bots.admits(hearing.message.channel_id)

    def _is_silent_in(self, channel: Channel) -> bool:
        quiet = channel.quiet_until is not None and self._clock.now() < channel.quiet_until
        return quiet or not channel.hearing or channel.answering is Answering.NEVER


def is_other_bot(hearing: Hearing) -> bool:
    """Tell whether another bot wrote a message."""
    message = hearing.message
    return message.kind is MessageKind.BOT and message.user_id != hearing.bot_id


def called_in(hearing: Hearing) -> Addressed | None:
    """Return what a message says to the bot, as far as it can be told without knowing what it replies to."""
    return _addressed(hearing, None, direct=hearing.direct)


def gives_order(hearing: Hearing) -> bool:
    """Tell whether a message surely orders something to be changed, without knowing what it replies to."""
    said = called_in(hearing)
    return said is not None and route_of(said.command) in WRITES


def _addressed(hearing: Hearing, replied_to: Message | None, *, direct: bool) -> Addressed | None:
    return addressed(
        hearing.message.text,
        names=hearing.bot_names,
        bot_id=hearing.bot_id,
        replies_to_bot=replied_to is not None and replied_to.user_id == hearing.bot_id,
        direct=direct,
    )
