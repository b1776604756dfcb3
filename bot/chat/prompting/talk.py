"""The sections of a reply's prompt with what was said: messages word for word, and the one to answer."""

import itertools
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from markupsafe import Markup

from bot.chat.prompting import budget
from bot.chat.prompting.budget import clipped, cost
from bot.chat.prompting.scene import SectionWriter, block
from bot.core.domain import Message
from bot.llm import framing

ShownMessage = tuple[Message, str]
"""A message, and as much of its text as there is room for."""


class TalkSections:
    """The messages of one prompt, as lines by day: an id stands where another one answers it."""

    def __init__(self, pen: SectionWriter) -> None:
        self._pen = pen
        self._texts: dict[int, str] = {}
        self._earlier = self._said_before()
        self._every_id = frozenset(self._texts)
        self._costs: dict[tuple[int, str, bool], int] = {}
        """What lines cost that `choose` measured, by message, text and whether they open a day."""
        self._shown: list[ShownMessage] = []
        self._text = ""
        answered = {message.reply_to_id for message in (*self._earlier, pen.scene.message)}
        for message in self._earlier:
            if message.message_id in answered:
                pen.message_ids.short(message.message_id)

    def make_room_to_answer(self) -> None:
        """Take the room of the message to answer, for which every other section makes room.

        No member has a short id yet, so it is measured with its author's name, which takes more than the id.
        """
        pen, every_id = self._pen, self._every_id
        # One token more than the frame costs: the text begins inside a token that the frame has begun.
        room = pen.room.left - cost(self._to_answer("", every_id)) - 1
        self._text = clipped(self._line_of(pen.scene.message), room)
        pen.room.take(cost(self._to_answer(self._text, every_id)))

    def choose(self) -> None:
        """Take the room of the messages before it.

        The one replied to comes first, then the replies above it, as many as are no crowd, then the newest.
        """
        scene, left = self._pen.scene, self._pen.room.share(budget.MESSAGES_TOKENS)
        above = {message.message_id for message in scene.chain}
        replied_to = scene.replied_to
        first = [one for one in self._earlier if replied_to and one.message_id == replied_to.message_id]
        chain = [one for one in reversed(self._earlier) if one.message_id in above and one not in first]
        newest = [one for one in reversed(self._earlier) if one not in first and one not in chain]
        shown = self._fitting(first, left, longest=(budget.REPLIED_TOKENS,) * len(first))
        room = min(left, self._cost(shown) + budget.CHAIN_TOKENS)
        shown = self._fitting(chain, room, longest=(budget.MESSAGE_TOKENS,) * len(chain), beside=shown)
        said: list[ShownMessage] = []
        forms = [
            [recent if place < budget.LAST_MESSAGES else older for place in range(len(newest))]
            for recent, older in budget.SHORT_FORMS
        ]
        for longer, longest in itertools.pairwise([[], *forms]):
            said = self._fitting(newest, left, longest=longest, beside=shown)
            if len(said) == len(newest) + len(shown):
                said = [*shown, *self._lengthened(said[len(shown) :], longer, left - self._cost(said))]
                break
        self._shown = sorted(said, key=lambda one: (self._pen.day(one[0].timestamp), one[0].message_id))
        self._pen.room.take(cost(framing.lines(self._lines())))

    def messages(self) -> Markup | None:
        """Return what was said before, by day, oldest first, and of how much there was no room."""
        left_out = len(self._earlier) - len(self._shown)
        if not self._shown:
            return None
        return framing.tag("messages", block(self._lines()), left_out=str(left_out) if left_out else None)

    def to_answer(self) -> Markup:
        """Return the message to answer."""
        shown_ids = {message.message_id for message, _ in self._shown}
        return framing.block("to_answer", [self._to_answer(self._text, shown_ids)])

    def _lines(self) -> list[Markup]:
        shown_ids = {message.message_id for message, _ in self._shown}
        return framing.talk(self._saying(message, text, shown_ids) for message, text in self._shown)

    def _line_of(self, message: Message) -> str:
        return framing.one_line(self._pen.text_of(message))

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
            if message.withheld is None and (text := self._line_of(message)):
                self._texts[number] = text
        return [said[number] for number in sorted(self._texts)]

    def _fitting(
        self,
        messages: Sequence[Message],
        room: int,
        *,
        longest: Sequence[int],
        beside: Sequence[ShownMessage] = (),
    ) -> list[ShownMessage]:
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

    def _lengthened(
        self, said: Sequence[ShownMessage], longer: Sequence[int], room: int
    ) -> list[ShownMessage]:
        """Return `said`, the first of it at the `longer` lengths, as far as there is `room` for it."""
        written = list(said)
        for number, length in enumerate(longer):
            message, text = said[number]
            more = clipped(self._texts[message.message_id], length)
            room -= self._cost_alone(message, more, opens_day=False)
            room += self._cost_alone(message, text, opens_day=False)
            if room < 0:
                break
            written[number] = (message, more)
        return written

    def _cost(self, shown: Iterable[ShownMessage]) -> int:
        days: set[str] = set()
        total = 0
        for message, text in shown:
            day = self._pen.day(message.timestamp)
            total += self._cost_alone(message, text, opens_day=day not in days)
            days.add(day)
        return total

    def _cost_alone(self, message: Message, text: str, *, opens_day: bool) -> int:
        """Return the tokens that a message takes, as if its time stood there and it answered another: it may take
        less, never more.
        """
        key = (message.message_id, text, opens_day)
        if key not in self._costs:
            one = self._saying(message, text, self._every_id)
            self._costs[key] = cost(
                framing.lines(framing.talk([one if opens_day else replace(one, under="")]))
            )
        return self._costs[key]

    def _to_answer(self, text: str, shown_ids: Set[int]) -> Markup:
        return framing.lines(framing.talk([self._saying(self._pen.scene.message, text, shown_ids)]))

    def _saying(self, message: Message, text: str, shown_ids: Set[int]) -> framing.Saying:
        pen, ids, replied = self._pen, self._pen.message_ids, message.reply_to_id
        return framing.Saying(
            text=text,
            by=pen.signed(message.user_id),
            at=message.timestamp.astimezone(pen.zone).strftime("%H:%M"),
            short_id=ids.short(message.message_id) if message.message_id in ids else None,
            reply_to=ids.short(replied) if replied and replied in shown_ids else None,
            under=pen.day(message.timestamp),
        )
