"""What a line of the log is made of, for people and for programs."""

import json
import logging
from collections.abc import Iterator

import pytest

from bot.core.log import configure, trace

logger = logging.getLogger("bot.tests")
library = logging.getLogger("some.library")


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Leave the log of the tests as it was."""
    root, ours = logging.getLogger(), logging.getLogger("bot")
    kept = root.level, root.handlers[:], ours.level
    yield
    root.setLevel(kept[0])
    root.handlers[:] = kept[1]
    ours.setLevel(kept[2])
    logging.captureWarnings(False)


def test_a_line_of_json_has_time_level_logger_and_words(capsys: pytest.CaptureFixture[str]) -> None:
    configure("INFO", "json")
    logger.info('guild %d: "%s"\nin two lines', 7, "день")
    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert told.pop("time").endswith("+00:00")
    assert told == {"level": "INFO", "logger": "bot.tests", "message": 'guild 7: "день" in two lines'}


def test_an_error_is_told_by_its_kind_and_never_by_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    configure("WARNING", "json")
    logger.warning("work failed: %s", trace(ValueError("alice said it")))
    try:
        raise KeyError("alice said it")
    except KeyError:
        logger.exception("message 7 was lost")
    written = capsys.readouterr().err
    assert [json.loads(line)["error"] for line in written.splitlines()] == ["ValueError", "KeyError"]
    assert "alice" not in written


def test_the_words_of_libraries_are_left_out_of_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    configure("DEBUG", "json")
    library.error("%s was refused", "alice")
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"].startswith("a library complains at ")
    assert "alice" not in line
