"""The sections with messages word for word: what was said before, and the one message to answer."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from markupsafe import Markup

from bot.conversation.prompting import shares
from bot.conversation.prompting.pen import Pen, block
from bot.conversation.prompting.shares import clipped, cost
from bot.domain import Message
from bot.language import framing

Shown = tuple[Message, str]
"""A message, and as much of its text as there is room for."""


class Talk:
    """The messages of one prompt."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._texts: dict[int, str] = {}
        self._earlier = self._said_before()
        self._shown: list[Shown] = []
        self._text = ""
        for message in (*self._earlier, pen.scene.message):
            pen.message_ids.short(message.message_id)

    def make_room_to_answer(self) -> None:
        """Take the room of the message to answer, for which every other section makes room.

        No member has a short id yet, so it is measured with its author's name, which takes more than the id.
        """
        pen, every_id = self._pen, set(self._texts)
        # One token more than the frame costs: the text begins inside a token that the frame has begun.
        room = pen.room.left - cost(self._to_answer("", every_id)) - 1
        self._text = clipped(pen.text_of(pen.scene.message), room)
        pen.room.take(cost(self._to_answer(self._text, every_id)))

    def choose(self) -> None:
        """Take the room of the messages before it.

        The one replied to comes first, then the replies above it, as many as are no crowd, then the newest.
        """
        scene, left = self._pen.scene, self._pen.room.share(shares.MESSAGES_TOKENS)
        above = {message.message_id for message in scene.chain}
        replied_to = scene.replied_to
        first = [one for one in self._earlier if replied_to and one.message_id == replied_to.message_id]
        chain = [one for one in reversed(self._earlier) if one.message_id in above and one not in first]
        newest = [one for one in reversed(self._earlier) if one not in first and one not in chain]
        shown = self._fitting(first, left, longest=(shares.REPLIED_TOKENS,) * len(first))
        room = min(left, self._cost(shown) + shares.CHAIN_TOKENS)
        shown = self._fitting(chain, room, longest=(shares.MESSAGE_TOKENS,) * len(chain), beside=shown)
        said: list[Shown] = []
        for recent, older in shares.SHORT_FORMS:
            longest = [recent if place < shares.LAST_MESSAGES else older for place in range(len(newest))]
            said = self._fitting(newest, left, longest=longest, beside=shown)
            if len(said) == len(newest) + len(shown):
                break
        self._shown = sorted(said, key=lambda one: one[0].message_id)
        self._pen.room.take(self._cost(self._shown))

    def messages(self) -> Markup | None:
        """Return what was said before, by day, oldest first, and of how much there was no room."""
        shown_ids = {message.message_id for message, _ in self._shown}
        days: dict[str, list[Markup]] = {}
        for message, text in self._shown:
            said = self._message(message, text, shown_ids)
            days.setdefault(self._pen.day(message.timestamp), []).append(said)
        elements = [framing.tag("day", block(said), date=day) for day, said in days.items()]
        if not elements:
            return None
        left_out = len(self._earlier) - len(self._shown)
        return framing.tag("messages", block(elements), left_out=str(left_out) if left_out else None)

    def to_answer(self) -> Markup:
        """Return the message to answer."""
        shown_ids = {message.message_id for message, _ in self._shown}
        return framing.tag("to_answer", block([self._to_answer(self._text, shown_ids)]))

    def _said_before(self) -> list[Message]:
        """Return the messages before the one to answer, oldest first, the one replied to among them."""
        scene = self._pen.scene
        said = {
            message.message_id: message
            for message in (*scene.messages, *scene.chain, scene.replied_to)
            if message
        }
        said.pop(scene.message.message_id, None)
        for number, message in said.items():
            if message.withheld is None and (text := self._pen.text_of(message)):
                self._texts[number] = text
        return [said[number] for number in sorted(self._texts)]

    def _fitting(
        self, messages: Sequence[Message], room: int, *, longest: Sequence[int], beside: Sequence[Shown] = ()
    ) -> list[Shown]:
        """Return `beside` and as many of `messages` as there is room for, from the first on, each cut to its length."""
        fitting = list(beside)
        room -= self._cost(fitting)
        days = {self._pen.day(message.timestamp) for message, _ in fitting}
        for message, length in zip(messages, longest, strict=True):
            text = clipped(self._texts[message.message_id], min(length, max(0, room)))
            day = self._pen.day(message.timestamp)
            taken = self._cost_alone(message, text, opens_day=day not in days)
            if not text or taken > room:
                break
            days.add(day)
            room -= taken
            fitting.append((message, text))
        return fitting

    def _cost(self, shown: Iterable[Shown]) -> int:
        days: set[str] = set()
        total = 0
        for message, text in shown:
            day = self._pen.day(message.timestamp)
            total += self._cost_alone(message, text, opens_day=day not in days)
            days.add(day)
        return total

    def _cost_alone(self, message: Message, text: str, *, opens_day: bool) -> int:
        """Return the tokens that a message takes, as if it quoted another: it may take less, never more."""
        frame = cost(self._dated([], message.timestamp)) if opens_day else 0
        return frame + cost(self._message(message, text, set(self._texts)))

    def _to_answer(self, text: str, shown_ids: set[int]) -> Markup:
        message = self._pen.scene.message
        return self._dated([self._message(message, text, shown_ids)], message.timestamp)

    def _message(self, message: Message, text: str, shown_ids: set[int]) -> Markup:
        ids, replied = self._pen.message_ids, message.reply_to_id
        return framing.tag(
            "message",
            text,
            id=ids.short(message.message_id),
            reply_to=ids.short(replied) if replied in shown_ids and replied else None,
            time=message.timestamp.astimezone(self._pen.zone).strftime("%H:%M"),
            **self._pen.person("author", message.user_id),
        )

    def _dated(self, said: Iterable[Markup], moment: datetime) -> Markup:
        return framing.tag("day", block(said), date=self._pen.day(moment))
