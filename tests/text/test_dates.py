"""Promises about dates: what is stored means the same a year later."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.dates import Dated, impossible_day, with_absolute_dates

SUNDAY = datetime(2026, 3, 1, 9, tzinfo=UTC)
WEDNESDAY = datetime(2026, 3, 4, 9, tzinfo=UTC)
FRIDAY = datetime(2026, 3, 6, 9, tzinfo=UTC)


def dated(text: str, said_at: datetime = SUNDAY, time_zone: str = "UTC") -> Dated:
    return with_absolute_dates(text, said_at=said_at, time_zone=time_zone)


RELATIVE = [
    ("the exam is tomorrow", "the exam is on 2026-03-02", date(2026, 3, 2)),
    ("tomorrow is the exam", "2026-03-02 is the exam", date(2026, 3, 2)),
    ("homework is due until tomorrow", "homework is due until 2026-03-02", date(2026, 3, 2)),
    ("we fly the day after tomorrow", "we fly on 2026-03-03", date(2026, 3, 3)),
    ("<@1> moved yesterday", "<@1> moved on 2026-02-28", date(2026, 2, 28)),
    ("it rained the day before yesterday", "it rained on 2026-02-27", date(2026, 2, 27)),
    ("<@1> starts today", "<@1> starts on 2026-03-01", date(2026, 3, 1)),
    ("we dance tonight", "we dance on the evening of 2026-03-01", date(2026, 3, 1)),
    ("party tomorrow evening", "party on the evening of 2026-03-02", date(2026, 3, 2)),
    ("<@1> slept badly last night", "<@1> slept badly on the night of 2026-02-28", date(2026, 2, 28)),
    ("movie night is on Friday", "movie night is on Friday 2026-03-06", date(2026, 3, 6)),
    ("<@1> flies Friday", "<@1> flies Friday 2026-03-06", date(2026, 3, 6)),
    ("the party is on friday evening", "the party is on friday evening 2026-03-06", date(2026, 3, 6)),
    ("movie night was on Friday", "movie night was on Friday 2026-02-27", date(2026, 2, 27)),
    ("<@1> saw Bob on Friday", "<@1> saw Bob on Friday 2026-02-27", date(2026, 2, 27)),
    ("the exam is planned for Friday", "the exam is planned for Friday 2026-03-06", date(2026, 3, 6)),
    (
        "<@1> said she would bring cake on Friday",
        "<@1> said she would bring cake on Friday 2026-03-06",
        date(2026, 3, 6),
    ),
    ("<@1> promised to call on Friday", "<@1> promised to call on Friday 2026-03-06", date(2026, 3, 6)),
    ("<@1> said on Friday that we won", "<@1> said on Friday 2026-02-27 that we won", date(2026, 2, 27)),
    ("<@1> said she saw us on Friday", "<@1> said she saw us on Friday 2026-02-27", date(2026, 2, 27)),
    ("<@1> said hi on Friday", "<@1> said hi on Friday 2026-02-27", date(2026, 2, 27)),
    ("<@1> сказала, что придёт в пятницу", "<@1> сказала, что придёт в пятницу 2026-03-06", date(2026, 3, 6)),
    ("мы решили уехать в пятницу", "мы решили уехать в пятницу 2026-03-06", date(2026, 3, 6)),
    ("<@1> сказал в пятницу, что болен", "<@1> сказал в пятницу 2026-02-27, что болен", date(2026, 2, 27)),
    ("we fly next Friday", "we fly on Friday 2026-03-06", date(2026, 3, 6)),
    ("last Friday it snowed", "on Friday 2026-02-27 it snowed", date(2026, 2, 27)),
    ("the meeting is on Sunday", "the meeting is on Sunday 2026-03-08", date(2026, 3, 8)),
    ("the meeting is this Sunday", "the meeting is on Sunday 2026-03-01", date(2026, 3, 1)),
    ("see you on Fri", "see you on Fri 2026-03-06", date(2026, 3, 6)),
    ("<@1> leaves in 3 days", "<@1> leaves on 2026-03-04", date(2026, 3, 4)),
    ("<@1> leaves in two weeks", "<@1> leaves on 2026-03-15", date(2026, 3, 15)),
    ("it starts 3 weeks from now", "it starts on 2026-03-22", date(2026, 3, 22)),
    ("they met 2 weeks ago", "they met on 2026-02-15", date(2026, 2, 15)),
    ("they met a year ago", "they met in 2025", None),
    ("the lease ends in 2 months", "the lease ends in 2026-05", None),
    ("we start in 2 hours", "we start on 2026-03-01 at 11:00", date(2026, 3, 1)),
    ("<@1> starts next week", "<@1> starts in the week of 2026-03-02", None),
    ("<@1> is away this weekend", "<@1> is away on the weekend of 2026-02-28", None),
    ("<@1> moves next month", "<@1> moves in 2026-04", None),
    ("<@1> graduated last year", "<@1> graduated in 2025", None),
    ("<@1>'s exam is on 20 June", "<@1>'s exam is on 20 June 2026", date(2026, 6, 20)),
    ("<@1>'s exam is on June 20", "<@1>'s exam is on June 20, 2026", date(2026, 6, 20)),
    ("the exam is on the 20th of June", "the exam is on the 20th of June 2026", date(2026, 6, 20)),
    ("the exam was on 20 June", "the exam was on 20 June", None),
    ("<@1> got married on 4 July", "<@1> got married on 4 July", None),
    ("<@1> has been sober since January 3rd", "<@1> has been sober since January 3rd", None),
    ("<@1> вышла замуж 4 июля", "<@1> вышла замуж 4 июля", None),
    ("may the 4th is star wars day", "may the 4th is star wars day", None),
    ("july 4 is independence day", "july 4 is independence day", None),
    ("<@1> needs a visa by 20 June", "<@1> needs a visa by 20 June 2026", date(2026, 6, 20)),
    ("the trip is on 1 February", "the trip is on 1 February 2027", date(2027, 2, 1)),
    ("the leap party is on 29 February", "the leap party is on 29 February 2028", date(2028, 2, 29)),
    ("<@1> is away 20-25 June", "<@1> is away 20-25 June 2026", None),
    ("rent is due on the 5th", "rent is due on 2026-03-05", date(2026, 3, 5)),
    ("the exam is on the 5th of next month", "the exam is on 2026-04-05", date(2026, 4, 5)),
    ("on Friday and Saturday", "on Friday 2026-03-06 and Saturday 2026-03-07", None),
    ("экзамен завтра", "экзамен 2026-03-02", date(2026, 3, 2)),
    ("послезавтра лечу в Рим", "2026-03-03 лечу в Рим", date(2026, 3, 3)),
    ("вчера был дождь", "2026-02-28 был дождь", date(2026, 2, 28)),
    ("позавчера был снег", "2026-02-27 был снег", date(2026, 2, 27)),
    ("сегодня вечером кино", "2026-03-01 вечером кино", date(2026, 3, 1)),
    ("кино в пятницу", "кино в пятницу 2026-03-06", date(2026, 3, 6)),
    ("кино было в пятницу", "кино было в пятницу 2026-02-27", date(2026, 2, 27)),
    ("в следующую пятницу полёт", "в пятницу 2026-03-06 полёт", date(2026, 3, 6)),
    ("в следующий вторник полёт", "во вторник 2026-03-03 полёт", date(2026, 3, 3)),
    ("в прошлую среду упал", "в среду 2026-02-25 упал", date(2026, 2, 25)),
    ("доклад до пятницы", "доклад до пятницы 2026-03-06", date(2026, 3, 6)),
    ("отпуск через 3 дня", "отпуск 2026-03-04", date(2026, 3, 4)),
    ("отпуск через две недели", "отпуск 2026-03-15", date(2026, 3, 15)),
    ("<@1> женился неделю назад", "<@1> женился 2026-02-22", date(2026, 2, 22)),
    ("<@1> переехал два года назад", "<@1> переехал в 2024 году", None),
    ("отпуск на следующей неделе", "отпуск на неделе с 2026-03-02", None),
    ("отпуск в следующем месяце", "отпуск в 2026-04", None),
    ("у <@1> экзамен 20 июня", "у <@1> экзамен 20 июня 2026", date(2026, 6, 20)),
    ("экзамен был 20 июня", "экзамен был 20 июня", None),
    ("5-го у <@1> экзамен", "5-го (2026-03-05) у <@1> экзамен", date(2026, 3, 5)),
    ("экзамен 15го числа", "экзамен 15го числа (2026-03-15)", date(2026, 3, 15)),
    ("<@1> на больничном до 10-го", "<@1> на больничном до 2026-03-10", date(2026, 3, 10)),
    ("5-го марта экзамен", "5-го марта 2026 экзамен", date(2026, 3, 5)),
    ("<@1> в отъезде по воскресенье", "<@1> в отъезде по воскресенье 2026-03-08", date(2026, 3, 8)),
    ("на выходных <@1> дежурит", "на выходных с 2026-02-28 <@1> дежурит", None),
    ("отпуск с пятницы по среду", "отпуск с пятницы 2026-03-06 по среду 2026-03-11", None),
    ("off from Friday to Wednesday", "off from Friday 2026-03-06 to Wednesday 2026-03-11", None),
    ("<@1> is on call on the weekend", "<@1> is on call on the weekend of 2026-02-28", None),
    ("it is <@1>'s birthday today", "it is <@1>'s birthday on 1 March", None),
    ("<@1>'s birthday is on Friday", "<@1>'s birthday is on 6 March", None),
    ("<@1>'s birthday party is tomorrow", "<@1>'s birthday party is on 2026-03-02", None),
    ("сегодня у <@1> день рождения", "1 марта у <@1> день рождения", None),
    ("экзамен 1 февраля", "экзамен 1 февраля 2027", date(2027, 2, 1)),
    ("<@1> is sick since monday", "<@1> is sick since monday 2026-02-23", date(2026, 2, 23)),
    ("<@1>'s cat died on monday", "<@1>'s cat died on monday 2026-02-23", date(2026, 2, 23)),
    ("<@1> lied on friday", "<@1> lied on friday 2026-02-27", date(2026, 2, 27)),
    ("<@1> will quit on monday", "<@1> will quit on monday 2026-03-02", date(2026, 3, 2)),
    ("<@1> wants to quit on monday", "<@1> wants to quit on monday 2026-03-02", date(2026, 3, 2)),
    ("it starts two weeks from today", "it starts on 2026-03-15", date(2026, 3, 15)),
    ("<@1> works on monday", "<@1> works on monday 2026-03-02", date(2026, 3, 2)),
]
SETTLED = [
    ("every Friday we watch a film", None),
    ("movie night is on Fridays", None),
    ("every Monday and on Friday they run", None),
    ("по пятницам кино", None),
    ("<@1> любит поспать на выходных", None),
    ("<@1> plays on weekends", None),
    ("<@1> ученик 5-го класса", None),
    ("<@1> живёт на 5-м этаже", None),
    ("каждую пятницу кино", None),
    ("<@1>'s birthday is on 20 June", None),
    ("<@1> was born on 20 June", None),
    ("у <@1> день рождения 20 июня", None),
    ("годовщина 20 июня", None),
    ("the exam is on 2026-03-06", date(2026, 3, 6)),
    ("the exam is on 20 June 2026", date(2026, 6, 20)),
    ("the exam is on June 20, 2026", date(2026, 6, 20)),
    ("экзамен 20 июня 2026 года", date(2026, 6, 20)),
    ("срок 06.03.2026", date(2026, 3, 6)),
    ("2026-03-06 or 2026-03-07", None),
    ("<@1> may 5 times a day", None),
    ("march on, sun, for a second", None),
    ("Black Friday is fun", None),
    ("<@1> loves Friday", None),
    ("<@1>'s cat is named Friday", None),
    ("Friday's meeting is long", None),
    ("<@1> loves Yesterday by the Beatles", None),
    ("they meet at 9:00", None),
    ("<@1> lives on the 5th floor", None),
    ("<@1> learned Python in 2 weeks", None),
    ("they run 3 times in a week", None),
    ('Bob said "see you tomorrow"', None),
    ("Боб сказал «увидимся завтра»", None),
    ("see http://example.org/tomorrow", None),
    ("tomorrow@example.org is an address", None),
    ("TKT-20 June is odd", None),
    ("the number is 31 June", None),
    ("<@20> June", None),
    ("бегаю через день", None),
    ("<@1> cut their hand on monday", None),
    ("<@1> put the cat out on friday", None),
    ("<@1> read it on friday", None),
    ("<@1> quit on monday", None),
    ("half an hour ago <@1> woke up", None),
    ("half a year ago <@1> moved", None),
    ("<@1> leaves in an hour and a half", None),
    ("it starts two weeks from monday", None),
    ("<@1> works monday to friday", None),
    ("<@1> works from Monday to Friday", None),
    ("<@1> is away monday to friday", None),
    ("<@1> работает с понедельника по пятницу", None),
    ("экзамен в четверг через неделю", None),
    ("через две недели в четверг экзамен", None),
]


@pytest.mark.parametrize(("text", "stored", "holds_on"), RELATIVE)
def test_relative_dates_become_absolute(text: str, stored: str, holds_on: date | None) -> None:
    assert dated(text) == Dated(stored, holds_on)


@pytest.mark.parametrize(("text", "holds_on"), SETTLED)
def test_what_returns_or_is_absolute_or_only_looks_like_a_date_stays(
    text: str, holds_on: date | None
) -> None:
    assert dated(text) == Dated(text, holds_on)


@pytest.mark.parametrize("text", [text for text, *_ in (*RELATIVE, *SETTLED)])
def test_dates_made_absolute_stay_so_whenever_they_are_looked_at_again(text: str) -> None:
    once = dated(text)
    assert dated(once.text, said_at=datetime(2027, 7, 7, tzinfo=UTC)) == once


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("my exam is on 31 February", "31 February"),
        ("экзамен 31 июня", "31 июня"),
        ("June 31st party", "June 31st"),
        ("29 February 2026", "29 February 2026"),
        ("30.02.2026", "30.02.2026"),
        ("29 February", None),
        ("level 45 may be enough", None),
        ("I have 31 march madness brackets", None),
        ("5 may 2020", None),
    ],
)
def test_a_day_that_no_calendar_has_is_known(text: str, day: str | None) -> None:
    assert impossible_day(text) == day


@pytest.mark.parametrize(
    ("said_at", "time_zone", "day"),
    [
        (datetime(2026, 3, 1, 12, tzinfo=UTC), "Pacific/Kiritimati", "2026-03-03"),
        (datetime(2026, 3, 1, 5, tzinfo=UTC), "America/Los_Angeles", "2026-03-01"),
        (datetime(2026, 3, 1, 12, tzinfo=UTC), "UTC", "2026-03-02"),
    ],
)
def test_a_day_is_one_of_the_guilds_zone(said_at: datetime, time_zone: str, day: str) -> None:
    assert dated("the exam is tomorrow", said_at, time_zone).text == f"the exam is on {day}"


@pytest.mark.parametrize(
    ("text", "said_at", "day"),
    [
        ("on Friday", FRIDAY, date(2026, 3, 13)),
        ("this Friday", FRIDAY, date(2026, 3, 6)),
        ("next Friday", FRIDAY, date(2026, 3, 13)),
        ("last Friday", FRIDAY, date(2026, 2, 27)),
        ("on Friday", WEDNESDAY, date(2026, 3, 6)),
        ("next Friday", WEDNESDAY, date(2026, 3, 13)),
        ("в пятницу", FRIDAY, date(2026, 3, 13)),
        ("в следующую пятницу", WEDNESDAY, date(2026, 3, 13)),
        ("it is on 6 March", FRIDAY, date(2026, 3, 6)),
    ],
)
def test_a_weekday_means_the_next_one_after_the_day_itself(text: str, said_at: datetime, day: date) -> None:
    assert dated(text, said_at).holds_on == day


PIECES = st.sampled_from(
    """next last this on the in of every Friday friday week month year 5th 3 a two days weeks ago tomorrow tonight
    20 June may 2026 2026-03-06 was is I moved from now . , "quoted" <@1> at 9:00 day after birthday в на через назад
    завтра пятницу следующую 20 июня дня неделю был по пятницам - until evening""".split()
)


@given(st.lists(PIECES, max_size=12).map(" ".join))
@settings(max_examples=400, deadline=None)
def test_no_order_of_words_is_changed_twice(text: str) -> None:
    once = dated(text)
    assert dated(once.text) == once


@given(st.text(max_size=200), st.sampled_from(["UTC", "Pacific/Kiritimati", "America/Los_Angeles"]))
@settings(max_examples=200, deadline=None)
def test_no_text_is_too_odd(text: str, time_zone: str) -> None:
    once = dated(text, time_zone=time_zone)
    assert dated(once.text, time_zone=time_zone) == once


@pytest.mark.parametrize(
    "text", ["in 999 years", "999 years ago", "in 999 months", "999 weeks ago", "99 June", "the 99th"]
)
def test_a_date_beyond_the_calendar_is_left_alone_or_written_whole(text: str) -> None:
    assert dated(dated(text).text) == dated(text)
