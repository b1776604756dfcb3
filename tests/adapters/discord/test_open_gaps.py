"""What is left to be read back is surely read: a message that no reading comes to is answered at once."""

from bot.adapters.discord.backfill.watermarks import OpenGaps, Watermarks

CHANNEL = 5
GUILD = 1
SAID = 200


def test_what_a_reading_has_passed_is_not_left_to_the_next_one() -> None:
    marks = Watermarks()
    read: list[int] = []
    gaps = OpenGaps(marks, read.append)
    marks.begin(CHANNEL, guild_id=GUILD, watermark=100)
    marks.hear(CHANNEL, SAID)
    assert gaps.read_again(channel_id=CHANNEL, message_id=SAID)
    assert read == [CHANNEL]
    assert marks.finish(marks.reading(CHANNEL), SAID)
    assert not gaps.read_again(channel_id=CHANNEL, message_id=SAID)
    # Another gap opens before the message has had its turn: it is read from the mark on, which is past it.
    marks.miss(CHANNEL)
    assert marks.reading(CHANNEL).after_id >= SAID
    assert not gaps.read_again(channel_id=CHANNEL, message_id=SAID)
    assert gaps.read_again(channel_id=CHANNEL, message_id=SAID + 1)
    assert read == [CHANNEL, CHANNEL]
