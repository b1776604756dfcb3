"""A command given by a form as a turn, so that it is carried out by what carries out commands in words."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.conversation.desk.visit import Visit
from bot.conversation.turn import Doors, Turn
from bot.domain import Guild, Language, Message


@dataclass(frozen=True)
class FormTurn(Turn):
    """A turn that answers in the language of a form, whatever was put into it, and writes by its interaction."""

    form_language: Language = Language.ENGLISH

    @property
    def cause(self) -> str:
        """The cause of what this turn writes: the same command, repeated, writes nothing more."""
        return f"i:{self.message.message_id}"

    @property
    def is_message(self) -> bool:
        """Whether a message said it: what is put into a form stands in no log."""
        return False

    @property
    def language(self) -> Language:
        """The language to answer in: that of the member's client."""
        return self.form_language


async def turn_of(visit: Visit, guild: Guild, doors: Doors, *, now: datetime, text: str = "") -> FormTurn:
    """Return `visit` as a turn in which `text` was said; `now` is aware.

    No message has the id of the turn's: it is the interaction's.
    """
    view = await doors.directory.view(
        guild_id=visit.guild_id, channel_audience=visit.audience, user_id=visit.user_id
    )
    return FormTurn(
        message=Message(
            guild_id=visit.guild_id,
            channel_id=visit.channel_id,
            message_id=visit.interaction_id,
            user_id=visit.user_id,
            text=text,
            timestamp=now,
            audience=visit.audience,
        ),
        text=text,
        bot_id=visit.bot_id,
        bot_names=(visit.bot_name,),
        everyone=await doors.directory.members(visit.guild_id, audiences=view.audiences),
        elsewhere=[
            member for guild_id in view.own_guild_ids for member in await doors.directory.members(guild_id)
        ],
        set_aside=frozenset(),
        view=view,
        time_zone=guild.time_zone,
        persona=guild.persona,
        memory_epoch=guild.memory_epoch,
        guild=guild,
        from_moderator=visit.from_moderator,
        direct=visit.direct,
        replied_to=None,
        reads=visit.reads,
        can_read=visit.can_read,
        jump=visit.jump,
        form_language=visit.language,
    )


async def replying(turn: FormTurn, message_id: int, doors: Doors) -> FormTurn:
    """Return `turn` as a reply to a message of the guild, if it may be seen where the visitor is; else as it was."""
    message = await doors.library.message(guild_id=turn.message.guild_id, message_id=message_id)
    return turn if message is None or not turn.sees(message) else replace(turn, replied_to=message)
