"""Whatever happens in whatever order: below a watermark nothing is missing, and in the end nothing is at all."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.discord.backfill.watermarks import Reading, Watermarks

CHANNEL = 5
GUILD = 1
KEPT = 100
"""The watermark of an earlier process; what is said has higher ids."""


class Room:
    """A channel in which people talk while the bot hears, misses, reads and is killed."""

    def __init__(self) -> None:
        self.said: list[int] = []
        self.taken: set[int] = set()
        self.kept = KEPT
        self.marks = Watermarks()
        self.reading: Reading | None = None
        self.read_to = 0
        self.is_connected = False
        self.connect()

    def connect(self) -> None:
        """Begin a new session: what was said before is not told again."""
        if self.marks.has_begun(CHANNEL):
            self.marks.miss(CHANNEL)
        self.is_connected = True

    def take_up(self) -> None:
        self.marks.begin(CHANNEL, guild_id=GUILD, watermark=self.kept)

    def disconnect(self) -> None:
        self.is_connected = False

    def say(self) -> None:
        """Let somebody say something; the bot takes it if it is connected."""
        self.said.append(KEPT + 1 + len(self.said))
        if self.is_connected:
            self.taken.add(self.said[-1])
            self.marks.hear(CHANNEL, self.said[-1])

    def overflow(self) -> None:
        """Let somebody say something for which the database has no room."""
        self.said.append(KEPT + 1 + len(self.said))
        if self.is_connected:
            self.marks.miss(CHANNEL)

    def read(self) -> None:
        """Read the next two messages, or find the end."""
        if not self.marks.has_begun(CHANNEL):
            return
        if self.reading is None:
            self.reading = self.marks.reading(CHANNEL)
            self.read_to = self.reading.after_id
        page = [one for one in self.said if one > self.read_to][:2]
        self.taken.update(page)
        self.read_to = page[-1] if page else self.read_to
        if len(page) == 2 and self.marks.advance(self.reading, self.read_to):
            return
        self.marks.finish(self.reading, self.read_to)
        self.reading = None

    def flush(self) -> None:
        for marks in self.marks.unsaved().values():
            self.kept = max(self.kept, marks[CHANNEL])
            self.marks.saved(marks)
        assert not self.marks.unsaved()

    def kill(self) -> None:
        """Let the process die and another begin."""
        self.marks = Watermarks()
        self.reading = None
        self.connect()

    def missing(self) -> set[int]:
        return {one for one in self.said if one <= self.kept} - self.taken


STEPS = ("take_up", "connect", "disconnect", "say", "say", "overflow", "read", "read", "flush", "kill")


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=40))
def test_below_a_watermark_nothing_is_missing_whatever_happens(steps: list[str]) -> None:
    room = Room()
    for step in steps:
        getattr(room, step)()
        room_is_whole(room)
    room.connect()
    room.take_up()
    for _ in range(len(room.said) + 2):
        room.read()
    room.flush()
    assert set(room.said) <= room.taken
    assert room.kept == max(room.said, default=KEPT)
    room.say()
    room.flush()
    assert room.kept == room.said[-1]


def room_is_whole(room: Room) -> None:
    assert not room.missing(), "a watermark was kept above a message that was never taken"


def test_a_live_message_does_not_move_a_mark_over_a_gap() -> None:
    marks = Watermarks()
    assert marks.hear(CHANNEL, 130)
    assert marks.strangers() == [CHANNEL]
    marks.begin(CHANNEL, guild_id=GUILD, watermark=KEPT)
    assert not marks.hear(CHANNEL, 140)
    assert (marks.strangers(), marks.unsaved()) == ([], {})
    reading = marks.reading(CHANNEL)
    assert (reading.after_id, reading.is_first) == (KEPT, True)
    assert marks.advance(reading, 120)
    assert marks.unsaved() == {GUILD: {CHANNEL: 120}}
    assert marks.finish(reading, 130)
    assert marks.unsaved() == {GUILD: {CHANNEL: 140}}
    assert not marks.reading(CHANNEL).is_first


def test_a_long_gap_is_read_on_from_where_its_reading_broke_off() -> None:
    marks = Watermarks()
    marks.begin(CHANNEL, guild_id=GUILD, watermark=KEPT)
    assert marks.advance(marks.reading(CHANNEL), KEPT - 10)
    assert marks.reading(CHANNEL).is_first
    assert marks.advance(marks.reading(CHANNEL), 120)
    marks.miss(CHANNEL)
    # Taken up anew it is as it was saved meanwhile.
    marks.begin(CHANNEL, guild_id=GUILD, watermark=120)
    reading = marks.reading(CHANNEL)
    assert (reading.after_id, reading.is_first) == (120, False)


def test_a_reading_that_another_gap_overtook_counts_for_nothing() -> None:
    marks = Watermarks()
    marks.begin(CHANNEL, guild_id=GUILD, watermark=KEPT)
    reading = marks.reading(CHANNEL)
    marks.miss_where(lambda guild_id, channel_id: (guild_id, channel_id) == (GUILD, CHANNEL))
    assert not marks.advance(reading, 120)
    assert not marks.finish(reading, 120)
    assert marks.is_open(CHANNEL)
    assert marks.unsaved() == {}
    assert marks.finish(marks.reading(CHANNEL), 120)
    assert not marks.is_open(CHANNEL)


def test_a_channel_that_is_dropped_goes_on_where_it_was_left() -> None:
    marks = Watermarks()
    marks.begin(CHANNEL, guild_id=GUILD, watermark=KEPT)
    marks.finish(marks.reading(CHANNEL), 150)
    marks.drop(CHANNEL)
    assert (marks.channels_of(GUILD), marks.has_begun(CHANNEL)) == (set(), False)
    assert marks.unsaved() == {GUILD: {CHANNEL: 150}}
    marks.begin(CHANNEL, guild_id=GUILD, watermark=KEPT)
    assert marks.reading(CHANNEL).after_id == 150
    assert marks.is_open(CHANNEL)
    assert marks.unsaved() == {GUILD: {CHANNEL: 150}}
    marks.drop(CHANNEL)
    marks.saved({CHANNEL: 150})
    assert marks.unsaved() == {}


def test_a_mark_that_rose_while_it_was_saved_is_saved_again() -> None:
    marks = Watermarks()
    marks.begin(CHANNEL, guild_id=GUILD, watermark=KEPT)
    marks.finish(marks.reading(CHANNEL), 110)
    saving = marks.unsaved()[GUILD]
    marks.hear(CHANNEL, 120)
    marks.saved(saving)
    assert marks.unsaved() == {GUILD: {CHANNEL: 120}}
