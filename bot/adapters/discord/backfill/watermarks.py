"""Which messages are missing in each channel, as far as this process knows. Pure: no time, database or network."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One attempt to read what is missing in a channel; it ends when another gap opens there."""

    channel_id: int
    after_id: int
    """Up to here nothing is missing."""
    compare_to: int
    """Up to here what is kept may have been edited or deleted unnoticed: it was heard before hearing last broke."""
    doubts: int
    """How often edits and deletions may have been missed, when the attempt began."""
    is_doubtful: bool
    """Whether they may have been since what is kept was compared last."""
    gaps: int
    """How many gaps the channel had when the attempt began."""
    is_first: bool
    """Whether this process has read nothing in the channel yet that lies above the mark with which it was taken up."""


@dataclass(slots=True)
class _ChannelMarks:
    """A channel as a line of ids: what lies up to `mark` was taken, as was what was heard live up to `newest`."""

    guild_id: int | None = None
    mark: int = 0
    begun: int = 0
    saved: int = 0
    newest: int = 0
    # What was heard live up to here was heard before hearing broke.
    before: int = 0
    # Of a channel that is met for the first time nobody knows yet whether anything is missing.
    gaps: int = 1
    healed: int = 0
    doubts: int = 1
    compared: int = 0

    @property
    def is_open(self) -> bool:
        return self.gaps > self.healed


class Watermarks:
    """The newest id of each channel and thread below which nothing is missing.

    A mark follows what is heard live as long as no gap is open. While one is, only reading moves it.
    """

    def __init__(self) -> None:
        self._lines: dict[int, _ChannelMarks] = {}
        self._of_guild: dict[int, set[int]] = {}
        self._rising: set[int] = set()
        self._left: dict[int, _ChannelMarks] = {}
        self._heard_to: dict[int, int] = {}

    def begin(self, channel_id: int, *, guild_id: int, watermark: int, stored_to: int = 0) -> None:
        """Take up a channel with the mark that was kept of it; the gap since then stays open.

        `stored_to` is the newest message that was stored before this process began to hear.
        """
        line = self._line(channel_id)
        line.before = max(line.before, stored_to, self._heard_to.pop(channel_id, 0))
        before = self._left.pop(channel_id, None)
        watermark = max(watermark, before.mark if before is not None else 0)
        if line.guild_id is None:
            line.begun = watermark
        line.guild_id = guild_id
        line.saved = max(line.saved, before.saved if before is not None else watermark)
        self._of_guild.setdefault(guild_id, set()).add(channel_id)
        self._raise(channel_id, line, watermark)

    def left_at(self, channel_id: int) -> int:
        """Return the mark of a channel that is followed no longer, if it was not saved yet, else 0."""
        left = self._left.get(channel_id)
        return left.mark if left is not None else 0

    def has_begun(self, channel_id: int) -> bool:
        """Tell whether the channel was taken up."""
        line = self._lines.get(channel_id)
        return line is not None and line.guild_id is not None

    def guild_of(self, channel_id: int) -> int:
        """Return the guild of a channel that was taken up; 0 of any other."""
        line = self._lines.get(channel_id)
        return (line.guild_id or 0) if line is not None else 0

    def channels_of(self, guild_id: int) -> set[int]:
        """Return the channels of a guild that were taken up."""
        return set(self._of_guild.get(guild_id, ()))

    def strangers(self) -> list[int]:
        """Return the channels that something was heard of, or missed in, and that were not taken up."""
        return [channel_id for channel_id, line in self._lines.items() if line.guild_id is None]

    def hear(self, channel_id: int, message_id: int) -> bool:
        """Note that a live message was taken. Tells whether the channel was met for the first time."""
        is_new = channel_id not in self._lines
        line = self._line(channel_id)
        line.newest = max(line.newest, message_id)
        if not line.is_open:
            self._raise(channel_id, line, message_id)
        return is_new

    def miss(self, channel_id: int) -> None:
        """Open a gap: from now on the mark stays where it is until the channel has been read."""
        self._line(channel_id).gaps += 1

    def miss_where(self, concerned: Callable[[int, int], bool]) -> None:
        """Open a gap in every channel whose guild and channel ids `concerned` says yes to."""
        for channel_id, line in self._lines.items():
            if line.guild_id is not None and concerned(line.guild_id, channel_id):
                line.gaps += 1

    def doubt(self, channel_id: int) -> None:
        """Open a gap in which edits and deletions of what was heard may have been missed too."""
        line = self._line(channel_id)
        line.gaps += 1
        line.doubts += 1
        line.before = max(line.before, line.newest)

    def doubt_where(self, concerned: Callable[[int, int], bool]) -> None:
        """`doubt` every channel whose guild and channel ids `concerned` says yes to."""
        for channel_id, line in self._lines.items():
            if line.guild_id is not None and concerned(line.guild_id, channel_id):
                self.doubt(channel_id)

    def is_open(self, channel_id: int) -> bool:
        """Tell whether something may be missing in a channel."""
        line = self._lines.get(channel_id)
        return line is None or line.is_open

    def lacks_before(self, channel_id: int, message_id: int) -> bool:
        """Tell whether something that was said before a message may be missing in its channel."""
        line = self._lines.get(channel_id)
        return line is None or (line.is_open and line.mark < message_id)

    def reading(self, channel_id: int) -> Reading:
        """Begin to read what is missing in a channel that was taken up."""
        line = self._lines[channel_id]
        return Reading(
            channel_id=channel_id,
            after_id=line.mark,
            compare_to=line.before,
            doubts=line.doubts,
            is_doubtful=line.doubts > line.compared,
            gaps=line.gaps,
            is_first=line.healed == 0 and line.mark <= line.begun,
        )

    def advance(self, reading: Reading, to_id: int) -> bool:
        """Note that everything up to `to_id` was read and taken; `False` if `reading` no longer holds."""
        line = self._lines.get(reading.channel_id)
        if line is None or line.gaps != reading.gaps:
            return False
        self._raise(reading.channel_id, line, to_id)
        return True

    def finish(self, reading: Reading, to_id: int) -> bool:
        """Close the gap, since the channel was read to its end; `False` if `reading` no longer holds."""
        if not self.advance(reading, to_id):
            return False
        line = self._lines[reading.channel_id]
        line.healed = line.gaps
        line.compared = reading.doubts
        self._raise(reading.channel_id, line, line.newest)
        return True

    def drop(self, channel_id: int) -> None:
        """Follow a channel no longer: it was deleted, or can no longer be seen. Its mark is kept."""
        line = self._lines.pop(channel_id, None)
        if line is not None and line.guild_id is not None:
            self._of_guild[line.guild_id].discard(channel_id)
            if channel_id in self._rising:
                self._left[channel_id] = line
            self._heard_to[channel_id] = max(line.before, line.newest)
        self._rising.discard(channel_id)

    def unsaved(self) -> dict[int, dict[int, int]]:
        """Return, by guild and channel, the marks that rose since they were last saved."""
        rising: dict[int, dict[int, int]] = {}
        for channel_id, line in [*((one, self._lines[one]) for one in self._rising), *self._left.items()]:
            if line.guild_id is not None:
                rising.setdefault(line.guild_id, {})[channel_id] = line.mark
        return rising

    def saved(self, marks: Mapping[int, int]) -> None:
        """Note that these marks, by channel, are kept."""
        for channel_id, mark in marks.items():
            line = self._lines.get(channel_id)
            if line is not None:
                line.saved = max(line.saved, mark)
                if line.mark <= line.saved:
                    self._rising.discard(channel_id)
            left = self._left.get(channel_id)
            if left is not None and left.mark <= mark:
                del self._left[channel_id]

    def newest(self, channel_id: int) -> int:
        """Return the newest message that was heard live in a channel, 0 if none was."""
        line = self._lines.get(channel_id)
        return line.newest if line is not None else 0

    def _raise(self, channel_id: int, line: _ChannelMarks, to_id: int) -> None:
        line.mark = max(line.mark, to_id)
        if line.mark > line.saved:
            self._rising.add(channel_id)

    def _line(self, channel_id: int) -> _ChannelMarks:
        return self._lines.setdefault(channel_id, _ChannelMarks())


class OpenGaps:
    """The gaps that are open. `missed` is told of a channel that is to be read again."""

    def __init__(self, marks: Watermarks, missed: Callable[[int], None]) -> None:
        self._marks = marks
        self._missed = missed

    def is_in(self, guild_id: int) -> bool:
        """Tell whether something in a guild, or in the direct messages of this id, may be unread."""
        return any(map(self._marks.is_open, self._marks.channels_of(guild_id) or {guild_id}))

    def read_again(self, *, channel_id: int, message_id: int) -> bool:
        """Request that a channel is read again, in its order; `False` if nothing before a message is missing there.

        Messages below the mark are never read again, so such a message must be answered now.
        """
        if not self._marks.lacks_before(channel_id, message_id):
            return False
        self._missed(channel_id)
        return True
