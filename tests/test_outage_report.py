"""One line when an outage begins, one a minute while it lasts, one when it is over."""

import logging

import pytest

from bot.core.errors import DatabaseError, DatabaseUnavailableError
from bot.core.log import OneLine, configure, suppress_errors, trace
from bot.db.outages import OutageReport, is_told_once
from tests.ticking import Ticks

logger = logging.getLogger("bot.tests")


@pytest.fixture
def clock() -> Ticks:
    return Ticks()


@pytest.fixture
def report(clock: Ticks) -> OutageReport:
    return OutageReport("the database", logger, monotonic=clock)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_a_long_outage_is_a_line_a_minute(
    report: OutageReport, clock: Ticks, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3_500):
        report.failed("it is away")
        clock.now += 0.05
    report.succeeded()
    report.succeeded()
    assert told(caplog) == [
        "the database: it is away",
        "the database: it is away (for 60 s now)",
        "the database: it is away (for 2 min now)",
        "the database is well again, after 3 min",
    ]


def test_a_connection_that_breaks_and_is_made_anew_is_no_outage(
    report: OutageReport, clock: Ticks, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(10):
        report.failed("it is away")
        clock.now += 0.05
        report.succeeded()
        clock.now += 600
    assert told(caplog) == []


def test_what_succeeds_meanwhile_does_not_end_an_outage_of_some_things(
    report: OutageReport, clock: Ticks, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(10):
        report.failed("its disk is full", is_total=False)
        clock.now += 4
        report.succeeded()
    clock.now += 20
    report.succeeded()
    assert told(caplog) == ["the database: its disk is full", "the database is well again, after 36 s"]


def test_an_outage_that_turns_out_to_be_another_says_so_once(
    report: OutageReport, clock: Ticks, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(10):
        for what in ("it is away", "it is away", "it refuses the password"):
            report.failed(what)
            clock.now += 0.5
    assert told(caplog) == [
        "the database: it is away",
        "the database: it refuses the password (for 1 s now)",
    ]


def test_lines_that_only_feel_the_outage_are_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", root.handlers)
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr("bot.core.log._told_once", [])
    configure("WARNING")
    suppress_errors(is_told_once)
    away = DatabaseUnavailableError("the database cannot be reached")
    logger.warning("5 messages wait: %s", trace(away))
    logger.warning("message %d failed: %s", 7, trace(ConnectionResetError("by a model's service")))
    logger.error("work %s failed: %s", "narrative", trace(DatabaseError("it is broken")))
    logging.captureWarnings(False)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ", 1)[1] for line in lines] == [
        "message 7 failed: ConnectionResetError",
        "work narrative failed: DatabaseError",
    ]


def test_of_a_library_only_where_it_complains_is_told() -> None:
    formatter = OneLine("%(name)s: %(message)s")
    record = logging.LogRecord("asyncpg.pool", logging.ERROR, "/lib/pool.py", 7, "%s\nsaid", ("alice",), None)
    assert formatter.format(record) == "asyncpg.pool: a library complains at /lib/pool.py:7"
