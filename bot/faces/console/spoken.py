"""The messages of one console by their numbers, as they stand."""

from dataclasses import dataclass

from bot.domain import Channel, Message
from bot.errors import InvalidInputError
from bot.faces.console.transcript import Said
from bot.language.operation import Image


@dataclass(frozen=True, slots=True)
class Attached:
    """What goes with the next message: what it is called, and the pictures of it."""

    descriptions: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()


@dataclass(slots=True)
class Spoken:
    """A numbered message as it stands, and where the bot's answer to it is."""

    message: Message
    said: Said
    is_deleted: bool = False
    answer_id: int | None = None
    images: tuple[Image, ...] = ()


class SpokenMessages:
    """What was said so far, numbered from 1 in the order given."""

    def __init__(self) -> None:
        self._spoken: list[Spoken] = []

    def add(self, spoken: Spoken) -> int:
        """Take up `spoken` and return its number."""
        self._spoken.append(spoken)
        return len(self._spoken)

    def numbered(self, number: int) -> Spoken:
        """Return the message of this number; raises `InvalidInputError` if there is none."""
        if not 1 <= number <= len(self._spoken):
            raise InvalidInputError(
                f"there is no message {number}: {len(self._spoken)} have been said so far, numbered from 1"
            )
        return self._spoken[number - 1]

    def answer_to(self, number: int | None, *, channel_id: int) -> int:
        """Return the id of the bot's answer to a message, else (`None`) of its last answer in a channel.

        Raises `InvalidInputError` if there is none.
        """
        if number is not None:
            answer_id = self.numbered(number).answer_id
            if answer_id is None:
                raise InvalidInputError(f"the bot did not answer message {number}")
            return answer_id
        answer_ids = [
            one.answer_id
            for one in self._spoken
            if one.answer_id is not None and one.message.channel_id == channel_id
        ]
        if not answer_ids:
            raise InvalidInputError("the bot has answered nothing in this channel so far")
        return max(answer_ids)

    def replied_to(self, said: Said, channel: Channel) -> int | None:
        """Return the id of the message that `said`, in `channel`, replies to; `None` if it is no reply.

        Raises `InvalidInputError` if that message is not there, or in another channel.
        """
        if said.reply_to is None:
            return None
        spoken = self.numbered(said.reply_to)
        if spoken.message.channel_id != channel.channel_id:
            raise InvalidInputError(
                f"message {said.reply_to} was said in {spoken.said.place}: it cannot be replied to"
                f" from {said.place}, only there"
            )
        if not said.to_answer:
            return spoken.message.message_id
        if spoken.answer_id is None:
            raise InvalidInputError(
                f"the bot did not answer message {said.reply_to}, so nobody can reply to that"
            )
        return spoken.answer_id
