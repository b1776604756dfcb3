"""The console as a process: transcripts in, JSON or readable lines out, errors by line number."""

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from bot.db.embedded.files import Layout
from tests.adapters.console.sessions import COMMAND, TRANSCRIPTS, chat, environment

pytestmark = pytest.mark.processes


def test_the_first_transcript_gets_its_replies_and_a_new_process_still_knows(address: str) -> None:
    first = chat(address, (TRANSCRIPTS / "first.txt").read_text())
    assert (first.status, first.errors) == (0, "")
    told = {line["n"]: line for line in first.lines}
    assert list(told) == list(range(1, len(told) + 1))
    expected = {
        1: ("none", None),
        2: ("remember", "alice likes pizza"),
        3: ("remember", "gruzilkin is Sergey"),
        4: ("ask_memory", "bob says gruzilkin is Sergey"),
        5: ("none", None),
        6: ("remember", "best ramen in town"),
        7: ("remember", "movie night is on Thursday 2026-03-05"),
        8: ("correct", "movie night is on Friday 2026-03-06"),
        9: ("ask_memory", "alice likes pizza"),
        10: ("none", None),
        11: ("remember", "last warning"),
        12: ("ask_memory", "best ramen in town"),
        13: ("remember", "surprise party"),
        14: ("ask_memory", "surprise party"),
        15: ("forget", "1 fact"),
        16: ("search", "best ramen in town"),
        17: ("ask_memory", "alice"),
    }
    assert {number: line["route"] for number, line in told.items()} == {
        number: route for number, (route, _) in expected.items()
    }
    for number, (_, reply) in expected.items():
        if reply is None:
            assert told[number]["reply"] is None
        else:
            assert reply in told[number]["reply"]
    assert "last warning" not in told[12]["reply"]
    assert "pizza" not in told[15]["reply"]
    assert "pizza" not in told[17]["reply"]
    assert told[13] | {"seconds": 0, "reply": ""} == {
        "n": 13,
        "channel": "@bob",
        "author": "bob",
        "text": "Bot, remember that I am planning a surprise party",
        "reply": "",
        "degraded": False,
        "route": "remember",
        "seconds": 0,
    }

    again = chat(
        address,
        "#general bob: Bot, what do you know about gruzilkin?\n#general bob: Bot, what do you know about alice?",
        "--at",
        "2026-03-04T09:00",
    )
    assert "Sergey" in again.lines[0]["reply"]
    assert "pizza" not in again.lines[1]["reply"]


def test_with_nothing_but_a_home_the_database_comes_by_itself_and_is_there_the_next_time(
    tmp_path: Path,
) -> None:
    try:
        assert chat(tmp_path, "#general alice: Bot, remember that I like pizza").status == 0
        (line,) = chat(tmp_path, "#general bob: Bot, what do you know about alice?").lines
        assert "alice likes pizza" in line["reply"]
    finally:
        shutil.rmtree(Layout.of(tmp_path, 18).folder.parent)


def test_the_russian_transcript_gets_russian_replies(address: str) -> None:
    told = chat(address, (TRANSCRIPTS / "russian.txt").read_text()).lines
    assert [line["route"] for line in told] == [
        "none", "remember", "ask_memory", "remember", "correct", "none", "forget", "ask_memory",
    ]  # fmt: skip
    assert "Маша любит пиццу" in told[2]["reply"]
    assert "2026-03-06" in told[4]["reply"]
    assert "пицц" not in told[7]["reply"]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (b"/dance", "'/dance' is no directive"),
        (b"[2020-01-01T00:00] #general alice: too late", "goes back in time"),
        (b"/delete 9", "there is no message 9"),
        (b"#general alice: caf\xe9", "no UTF-8"),
    ],
)
def test_an_error_ends_with_status_2_and_the_line_number_after_all_before_it_was_done(
    address: str, wrong: bytes, reason: str
) -> None:
    ended = chat(address, b"# a comment\n#general alice: hello\n\n" + wrong + b"\n#general alice: never said")
    assert ended.status == 2
    assert [line["text"] for line in ended.lines] == ["hello"]
    assert ended.errors.startswith("keepsake: line 4: ")
    assert reason in ended.errors
    assert ended.errors.count("\n") == 1


def test_without_json_it_reads_as_a_conversation(address: str) -> None:
    transcript = (
        "#general alice: Bot, remember that I like \x1b[31mpizza "
        + "very much " * 20
        + "\n@alice: what do you know about me?"
    )
    ended = subprocess.run(
        [*COMMAND, "chat"],
        input=transcript.encode(),
        capture_output=True,
        env=environment(DATABASE_URL=address),
        timeout=60,
    )
    lines = ended.stdout.decode().splitlines()
    assert lines[0].startswith("#general alice: Bot, remember that I like")
    assert lines[1].startswith("  Bot: Remembered: alice likes")
    assert lines[2] == "@alice: what do you know about me?"
    assert lines[3].startswith("  Bot: ")
    assert lines[4].startswith("       - [")
    assert "\x1b" not in ended.stdout.decode()


def test_replies_come_while_the_input_is_still_open_and_being_told_to_end_ends_it(address: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "chat", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(DATABASE_URL=address),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"#general alice: Bot, remember that I like pizza\n")
        process.stdin.flush()
        assert b'"route": "remember"' in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
        assert process.stderr.read() == b""
