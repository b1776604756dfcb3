"""Transcripts are read exactly, or refused with the line number and a sentence."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.console.transcript import (
    DIRECTIVES,
    Attach,
    DeclareBot,
    DeclareChannel,
    DeclareMember,
    Delete,
    Edit,
    PostMessage,
    Restart,
    SetTime,
    Step,
    read_line,
    read_moment,
    read_steps,
    write_said,
)
from bot.core.errors import InvalidInputError, TranscriptError


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("#general alice: hello", [PostMessage(channel="general", author="alice", text="hello")]),
        ("  #general   alice :  hello  ", [PostMessage(channel="general", author="alice", text="hello")]),
        ("#general alice: a: b # c", [PostMessage(channel="general", author="alice", text="a: b # c")]),
        ("#general alice: see #mods  #1 and  C# ", [
            PostMessage(channel="general", author="alice", text="see #mods  #1 and  C#")]),
        ("#общий Маша Иванова: привет", [PostMessage(channel="общий", author="Маша Иванова", text="привет")]),
        ("#general Chris|: hm", [PostMessage(channel="general", author="Chris|", text="hm")]),
        ("#general @alice: hello", [PostMessage(channel="general", author="alice", text="hello")]),
        ("@bob: what do you know about me?", [
            PostMessage(channel=None, author="bob", text="what do you know about me?")]),
        ("#general bob > 2: yes", [PostMessage(channel="general", author="bob", text="yes", reply_to=2)]),
        ("#general bob>2: yes", None),
        ("#general bob > 2!: yes", [
            PostMessage(channel="general", author="bob", text="yes", reply_to=2, to_answer=True)]),
        ("@bob > 12!: yes", [PostMessage(channel=None, author="bob", text="yes", reply_to=12, to_answer=True)]),
        ("[2026-03-01T09:00] #general alice: hi", [
            PostMessage(channel="general", author="alice", text="hi", moment=datetime(2026, 3, 1, 9))]),
        ("[2026-03-01T09:00+01:00] @al: hi", [
            PostMessage(channel=None, author="al", text="hi",
                 moment=datetime(2026, 3, 1, 9, tzinfo=timezone(timedelta(hours=1))))]),
        ("#general alice:", [PostMessage(channel="general", author="alice", text="")]),
        ("#general alice: hi   # said twice", [PostMessage(channel="general", author="alice", text="hi")]),
        ("/channel mods closed    # only its members", [DeclareChannel("mods", closed=True)]),
        ("/channel #general", [DeclareChannel("general", closed=None)]),
        ("/channel general open", [DeclareChannel("general", closed=False)]),
        ("/member bob moderator", [DeclareMember("bob", moderator=True)]),
        ("/member John Smith", [DeclareMember("John Smith", moderator=False)]),
        ("/bot dice bot", [DeclareBot("dice bot")]),
        ("/edit 3 new  text /delete 2", [Edit(3, "new  text /delete 2")]),
        ("/edit 3 new text    /delete 2  /at 2026-03-02T10:00", [
            Edit(3, "new text"), Delete(2), SetTime(datetime(2026, 3, 2, 10))]),
        ("/edit 3 look at  /etc/passwd", [Edit(3, "look at  /etc/passwd")]),
        ("/attach my cat.png", [Attach("my cat.png")]),
        ("/restart", [Restart()]),
        ("", []),
        ("   # a comment", []),
        ("#", []),
    ],
)  # fmt: skip
def test_a_line_says_what_it_says(text: str, steps: list[Step] | None) -> None:
    if steps is None:
        with pytest.raises(InvalidInputError):
            read_steps(text)
    else:
        assert list(read_steps(text)) == steps


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello there", "'#channel author: text'"),
        ("#general: hello", "'#channel author: text'"),
        ("#general alice hello", "'#general alice hello'"),
        ("#general bob > two: yes", "'#channel author: text'"),
        ("/dance", "'/dance' is no directive"),
        ("/channel", "'/channel NAME [open|closed]'"),
        ("/channel mods shut", "'/channel NAME [open|closed]'"),
        ("/edit three text", "'/edit N new text'"),
        ("/edit 3", "'/edit N new text'"),
        ("/delete 2 now", "'/delete N'"),
        ("/delete " + "9" * 5000, "'/delete N'"),
        ("/restart now", "'/restart'"),
        ("/at", "'/at TIME'"),
        ("/at noon", "'noon' is no time"),
        ("[yesterday] #general alice: hi", "'yesterday' is no time"),
        ("[1999-01-01T00:00] #general alice: hi", "2015-01-02"),
        ("/at 9999-01-01T00:00", "2084-01-01"),
        ("#general alice: caf\udce9", "UTF-8"),
    ],
)
def test_a_wrong_line_is_refused_with_its_number_and_what_is_allowed(text: str, reason: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        read_line(17, text)
    assert caught.value.line_number == 17
    assert str(caught.value).startswith("line 17: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    assert caught.value.exit_status == 2


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it() -> None:
    assert read_steps("\ufeff#general alice: hi") == read_steps("#general alice: hi")


_names = st.from_regex(r"[\w.-][\w .-]{0,20}[\w-]", fullmatch=True).map(lambda name: " ".join(name.split()))
_channels = st.from_regex(r"[\w.-]{1,20}", fullmatch=True)
_texts = (
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=80)
    .map(str.strip)
    .filter(lambda text: not any(mark in f"{text} " for mark in ("  # ", "  #\t")))
)
_moments = st.datetimes(
    datetime(2015, 1, 2),
    datetime(2083, 12, 31),
    timezones=st.sampled_from([None, UTC, timezone(timedelta(hours=-5))]),
)


@given(
    said=st.builds(
        PostMessage,
        channel=st.none() | _channels,
        author=_names,
        text=_texts,
        moment=st.none() | _moments,
        reply_to=st.none() | st.integers(0, 999_999_999),
    ),
    to_answer=st.booleans(),
)
def test_a_message_that_is_written_as_a_line_is_read_back_the_same(
    said: PostMessage, to_answer: bool
) -> None:
    if said.reply_to is not None and to_answer:
        said = PostMessage(channel=said.channel, author=said.author, text=said.text, moment=said.moment,
                    reply_to=said.reply_to, to_answer=True)  # fmt: skip
    assert read_steps(write_said(said)) == (said,)


@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from([*DIRECTIVES, "#a b", ":", ">", "1", "!", "  ", " ", "[", "]", "@", "# "])
    ).map("".join)
)
def test_any_text_is_read_or_refused_and_never_fails_otherwise(text: str) -> None:
    try:
        read_line(1, text)
    except TranscriptError as error:
        assert error.line_number == 1


@given(_moments)
def test_a_time_that_is_written_in_iso_form_is_read_back_the_same(moment: datetime) -> None:
    assert read_moment(moment.isoformat()) == moment
