"""Days told in languages without a folder become dates; what may be another day, or every such day, stays."""

from datetime import UTC, date, datetime

import pytest

from bot.text.dates import lasting, with_absolute_dates

WEDNESDAY = datetime(2026, 3, 4, 9, tzinfo=UTC)
FRIDAY = "2026-03-06"

DATED = """
der Filmabend ist am Freitag => am Freitag 2026-03-06
<@1> hat am Freitag Prüfung => am Freitag 2026-03-06 Prüfung
<@1> fliegt morgen nach Rom => am 2026-03-05 nach Rom
kommenden Freitag ist Training => kommenden Freitag 2026-03-06
nächsten Montag ist Training => nächsten Montag 2026-03-09
am 5. April ist das Konzert => am 5. April 2026
am 5. April 2026 ist das Konzert => 5. April 2026
in drei Tagen ist Prüfung => am 2026-03-07 ist
la noche de cine es el viernes => el viernes 2026-03-06
el próximo viernes hay examen => viernes 2026-03-06
<@1> viaja mañana a Lima => el 2026-03-05 a Lima
el 5 de abril es la boda => 5 de abril de 2026
<@1> part vendredi prochain => vendredi 2026-03-06 prochain
la réunion est vendredi => vendredi 2026-03-06
<@1> part demain => le 2026-03-05
la réunion est le 5 mars => 5 mars 2026
dans trois jours c'est l'examen => le 2026-03-07
w piątek jest egzamin => w piątek 2026-03-06
<@1> wyjeżdża jutro => 2026-03-05
egzamin jest 5 kwietnia => 5 kwietnia 2026
za trzy dni jest egzamin => 2026-03-07
venerdì c'è la cena => venerdì 2026-03-06
la cena è domani => il 2026-03-05
a festa é na sexta => na sexta 2026-03-06
a festa é amanhã => 2026-03-05
у п'ятницю іспит => у п'ятницю 2026-03-06
через два дні іспит => 2026-03-06
het feest is op vrijdag => op vrijdag 2026-03-06
festen är på fredag => på fredag 2026-03-06
toplantı var cuma günü ve çok önemli => cuma 2026-03-06 günü
bu perşembe bir sınav var => bu perşembe 2026-03-05
yarın bir sınav var => 2026-03-05
iki gün sonra bir maç var => 2026-03-06
5 nisan için bir plan var => 5 nisan 2026
""".strip().splitlines()

AS_SAID = """
jeden Freitag ist Training
her cuma bir oyun var
pazar çok güzel bir yer
bu film cuma günü bana çok güzel gelmişti
freitags ist Training
am Freitag war <@1> im Kino
<@1> hat am Freitag Fußball gespielt
nächsten Freitag ist Training
am Mittwoch ist Training
<@1> hat am 5. April Geburtstag
am Morgen trinkt <@1> Kaffee
<@1> ist hier
los viernes hay entrenamiento
todos los viernes hay entrenamiento
el viernes fui al cine
<@1> trabaja por la mañana
le vendredi <@1> a piano
tous les vendredis <@1> a piano
<@1> est parti vendredi
il venerdì <@1> gioca a calcio
ogni venerdì c'è la cena
venerdì <@1> è andata al cinema
w piątki jest trening
co piątek jest trening
<@1> był w piątek w kinie
w przyszły piątek jest trening
às sextas há treino
щоп'ятниці тренування
кожної п'ятниці тренування
у п'ятницю <@1> була в кіно
elke vrijdag is er training
<@1> likes Mardi gras
<@1> has a dog called Lunes
the Domingo concert is here
<@1> ate 5 mars bars
""".strip().splitlines()


@pytest.mark.parametrize("line", DATED)
def test_one_day_in_any_language_is_kept_as_a_date(line: str) -> None:
    said, told = line.split(" => ")
    dated = with_absolute_dates(said, said_at=WEDNESDAY, time_zone="UTC")
    assert told in dated.text
    assert dated.holds_on is not None
    again = with_absolute_dates(dated.text, said_at=WEDNESDAY, time_zone="UTC")
    assert again.text == dated.text


@pytest.mark.parametrize("said", AS_SAID)
def test_what_returns_or_was_or_may_be_either_of_two_days_stays_as_it_was_said(said: str) -> None:
    dated = with_absolute_dates(said, said_at=WEDNESDAY, time_zone="UTC")
    assert (dated.text, dated.holds_on) == (said, None)


@pytest.mark.parametrize(
    "said",
    [
        "<@1> ist bis Freitag in Rom",
        "<@1> está en Roma hasta el viernes",
        "<@1> est à Rome jusqu'à vendredi",
        "<@1> jest w Rzymie do piątku",
        "<@1> è a Roma fino a venerdì",
        "<@1> está em Roma até sexta",
        "<@1> is tot vrijdag in Rome",
    ],
)
def test_what_is_so_until_a_day_ends_with_it_in_any_language(said: str) -> None:
    dated = with_absolute_dates(said, said_at=WEDNESDAY, time_zone="UTC")
    assert FRIDAY in dated.text
    assert lasting(dated.text, said_at=WEDNESDAY, time_zone="UTC").last_day == date.fromisoformat(FRIDAY)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("<@1> ist für zwei Wochen in Rom", "bis 2026-03-18"),
        ("<@1> está en Roma por una semana", "hasta 2026-03-11"),
        ("<@1> est à Lyon pour 3 jours", "jusqu'au 2026-03-07"),
        ("<@1> è a Roma per due settimane", "fino al 2026-03-18"),
        ("<@1> está em Lisboa por uma semana", "até 2026-03-11"),
        ("<@1> jest w Krakowie na tydzień", "do 2026-03-11"),
        ("<@1> буде у Львові на тиждень", "до 2026-03-11"),
        ("<@1> is in Utrecht voor een week", "tot 2026-03-11"),
        ("<@1> är i Malmö i två veckor", "till 2026-03-18"),
        ("<@1> için izinli bir ay değil, iki hafta boyunca", "şu güne kadar: 2026-03-18"),
    ],
)
def test_what_is_so_for_a_time_ends_with_it(text: str, day: str) -> None:
    told = lasting(text, said_at=WEDNESDAY, time_zone="UTC")
    assert f"({day})" in told.text
    assert told.expires_at is not None
    assert told.expires_at.date() == date.fromisoformat(day[-10:])


@pytest.mark.parametrize(
    "text",
    [
        "der Vorrat war für zwei Wochen",
        "<@1> kauft das Essen für zwei Wochen",
        "<@1> est parti pendant 3 jours",
        "<@1> è stato a Roma per due settimane",
        "<@1> estuvo en Roma por una semana",
        "<@1> ist für das Training hier",
        "<@1> byłem na tydzień w Krakowie",
    ],
)
def test_what_was_so_for_a_time_or_takes_it_has_no_end(text: str) -> None:
    assert lasting(text, said_at=WEDNESDAY, time_zone="UTC").expires_at is None
