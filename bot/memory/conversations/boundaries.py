"""The rules by which the messages of a channel fall into conversations. Pure: the same messages, the same ends."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

CONVERSATION_MESSAGES: Final = 300
"""A conversation ends after so many messages at the latest."""

_FAR: Final = 4 * CONVERSATION_MESSAGES
"""Of a talk that goes on for more messages without a pause the beginning is too far away to count from."""

_ONE_IN: Final = 512
"""One message in so many of such a talk begins a conversation, picked by its id, and is counted from instead."""

_SPREAD: Final = 0x9E3779B97F4A7C15
"""An odd number without pattern: neighbouring ids are spread evenly by it."""

_WORD_BITS: Final = 64

_FILLERS: Final = (
    r"(?:(?:hey|hi|ok|okay|well|so|and|alright|right|great|cool|nice|good|perfect|thanks|thank\ you|thx|no|nope|nah|yes"
    r"|yep|ок|окей|ну|и|а|вот|так|хорошо|ладно|спасибо|отлично|супер|нет|да)\b[\s,.!:-]*)*"
)
_THAT_IS_ALL: Final = re.compile(
    rf"""
    {_FILLERS} (?:@?[\w'-]+\s*[,:]\s*)? {_FILLERS}
    (?: that(?:\ is|'?s|'ll\ be|\ will\ be)\ all
        (?:\ for\ (?:now|today|tonight)|\ i\ (?:need|needed|wanted|have)|\ then|\ folks)?
      | (?:это|(?:на\ сегодня|у\ меня|на\ этом)(?:\ это)?)\ все (?:\ на\ сегодня|\ пока)?
      | все\ (?:на\ сегодня|пока)
    )
    (?:[\s,.!-]+ (?:thanks|thank\ you|thx|спасибо|bye|пока))? (?:\s*,\s*@?[\w'-]+)? [\s.!…)]*
    """,
    re.VERBOSE,
)
_MENTION: Final = re.compile(r"<@[!&]?\d{1,19}>[\s,:]*")


@dataclass(frozen=True, slots=True)
class Spoken:
    """What of a message decides where conversations end."""

    message_id: int
    timestamp: datetime
    closes: bool = False
    """It says to the bot that this is all."""
    answers_id: int | None = None
    """Of the bot's own message: what it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundaries:
    """The rules: after a silence of `gap`, after "that's all", and after `longest` messages a conversation is over.

    The bot's answer to "that's all" still belongs to what it ends. Messages are counted from the last such pause;
    where that lies more than `far` messages back, from one that is picked by its id, one in `one_in`. So the limit
    holds, and no more than a bounded stretch has to be read, however long people talk without a pause.
    """

    gap: timedelta
    longest: int = CONVERSATION_MESSAGES
    far: int = _FAR
    one_in: int = _ONE_IN

    def starts(self, said: Sequence[Spoken], *, complete: bool) -> list[int] | None:
        """Return the places in `said`, oldest first, at which conversations begin, as far as they are certain.

        `complete` says that nothing was said in the channel before. `None`: nothing is certain, more must be read.
        The conversation of the last message begins at the last place.
        """
        pauses = [pause for pause, _ in _walked(said, gap=self.gap, complete=complete)]
        certain = self._first_certain(said, pauses)
        if certain is None:
            return None
        found = [certain]
        talked = 0 if pauses[certain] else self.far
        for place in range(certain + 1, len(said)):
            talked += 1
            if pauses[place]:
                talked = 0
            elif place - found[-1] < self.longest and not self._is_picked(said[place], talked):
                continue
            found.append(place)
        return found

    def over_at(self, said: Sequence[Spoken], following: Spoken | None, *, now: datetime) -> datetime | None:
        """Return when the conversation `said` was over that `following` was said after; `None` if it is not.

        With nothing said after it, it is over as soon as `now` shows.
        """
        last = said[-1]
        silence = last.timestamp + self.gap
        *_, (_, closed) = _walked(said, gap=self.gap, complete=True)
        if closed is not None or len(said) >= self.longest:
            return last.timestamp
        if following is None:
            return silence if now >= silence else None
        return min(silence, max(last.timestamp, following.timestamp))

    def pauses_before_last(self, said: Sequence[Spoken]) -> bool:
        """Tell whether the talk paused before the last message of `said`, in silence or because that was all."""
        *_, (pause, _) = _walked(said, gap=self.gap, complete=False)
        return bool(pause)

    def _first_certain(self, said: Sequence[Spoken], pauses: Sequence[bool | None]) -> int | None:
        unknown = 0
        for place, pause in enumerate(pauses):
            if pause:
                return place
            if pause is None:
                unknown = place
            elif self._is_picked(said[place], place - unknown):
                return place
        return None

    def _is_picked(self, message: Spoken, talked: int) -> bool:
        """Tell whether a message before which `talked` messages were said without a pause begins a conversation."""
        spread = message.message_id * _SPREAD % (1 << _WORD_BITS)
        return talked >= self.far and spread * self.one_in < 1 << _WORD_BITS


def _walked(
    said: Sequence[Spoken], *, gap: timedelta, complete: bool
) -> Iterator[tuple[bool | None, int | None]]:
    """Tell of each message whether the talk paused before it, and which message had ended the talk by then.

    `None` for a pause: that takes what was said before the first one. What the bot answers to "that's all" is no
    pause, so who ended the talk is known from the first message on that is no answer of the bot's.
    """
    known, closed = complete, None
    before: Spoken | None = None
    for message in said:
        is_silence = before is not None and message.timestamp - before.timestamp >= gap
        is_after_end = closed is not None and message.answers_id != closed
        if before is None:
            pause = True if complete else None
        else:
            pause = True if is_silence else is_after_end if known else None
        known = known or is_silence or message.answers_id is None
        if message.closes:
            closed = message.message_id
        elif is_silence or message.answers_id != closed:
            closed = None
        before = message
        yield pause, closed


def ends_conversation(text: str) -> bool:
    """Tell whether `text`, said to the bot, says that this is all: "that's all, thanks", «это всё».

    A call by name before or after it belongs to it; a question is none.
    """
    even = text.casefold().replace("ё", "е").replace("’", "'")
    words = " ".join(_MENTION.sub(" ", even).split())
    return _THAT_IS_ALL.fullmatch(words) is not None
