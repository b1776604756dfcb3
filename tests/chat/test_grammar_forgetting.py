"""Sets are asked to be forgotten in plain words, and talk is never taken for that."""

import pytest

from bot.chat.dispatch import route_of
from bot.chat.incoming import Route
from bot.text.commands import Command, Forget, ForgetEverything, ForgetKind, ForgetSaid, ForgetThis
from bot.text.grammar.kinds import fact_kind_of
from bot.text.grammar.parser import parse
from bot.text.grammar.understanding import understood


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("forget my birthday", ForgetKind("birthday", "me")),
        ("forget my nickname", ForgetKind("nickname", "me")),
        ("forget my birthdate", ForgetKind("birthdate", "me")),
        ("Forget my preferences.", ForgetKind("preferences", "me")),
        ("I don't want you to remember my address anymore", ForgetKind("address", "me")),
        ("please delete all my events", ForgetKind("events", "me")),
        ("forget everything about my birthday", ForgetKind("birthday", "me")),
        ("forget everything you know about my job", ForgetKind("job", "me")),
        ("forget Bob's birthday", ForgetKind("birthday", "Bob")),
        ("forget <@12>’s preferences", ForgetKind("preferences", "<@12>")),
        ("can you forget my birthday?", ForgetKind("birthday", "me")),
        ("forget everything in this channel", ForgetSaid(here=True)),
        ("forget this channel", ForgetSaid(here=True)),
        ("forget everything about this channel", ForgetSaid(here=True)),
        ("forget everything since Monday", ForgetSaid(since="since Monday")),
        ("forget the last hour", ForgetSaid(since="the last hour")),
        ("forget everything from the last 2 hours", ForgetSaid(since="from the last 2 hours")),
        ("forget everything said here since yesterday", ForgetSaid(here=True, since="since yesterday")),
        ("forget everything I said since Monday", ForgetSaid(mine=True, since="since Monday")),
        ("forget everything i told u yesterday", ForgetSaid(mine=True, since="yesterday")),
        ("delete my messages in this channel", ForgetSaid(mine=True, here=True)),
        ("delete all my messages", ForgetSaid(mine=True)),
        ("delete my messages", ForgetSaid(mine=True)),
        ("удали мои сообщения", ForgetSaid(mine=True)),
        ("забудь всё что я сегодня говорил", ForgetSaid(mine=True, since="сегодня")),
        ("забудь мой день рождения", ForgetKind("день рождения", "я")),
        ("забудь моих питомцев", ForgetKind("питомцев", "я")),
        ("забудь мои предпочтения", ForgetKind("предпочтения", "я")),
        ("забудь день рождения Боба", ForgetKind("день рождения", "Боба")),
        ("забудь всё в этом канале", ForgetSaid(here=True)),
        ("забудь этот канал", ForgetSaid(here=True)),
        ("забудь всё с понедельника", ForgetSaid(since="с понедельника")),
        ("забудь последний час", ForgetSaid(since="последний час")),
        ("забудь всё, что я говорила с понедельника", ForgetSaid(mine=True, since="с понедельника")),
        ("удали все мои сообщения", ForgetSaid(mine=True)),
    ],
)
def test_a_set_is_understood(text: str, command: Command) -> None:
    assert parse(text) == command
    assert route_of(command) is Route.FORGET


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("forget my bday and my job", [ForgetKind("bday", "me"), ForgetKind("job", "me")]),
        ("forget my bday and job thx", [ForgetKind("bday", "me"), ForgetKind("job", "me")]),
        (
            "delete my age, my job & my address",
            [ForgetKind("age", "me"), ForgetKind("job", "me"), ForgetKind("address", "me")],
        ),
        ("forget my birthday and where i live", [ForgetKind("birthday", "me"), ForgetKind("home", "me")]),
        ("forget my address and phone", [ForgetKind("address", "me"), Forget("my phone")]),
        ("forget my mom and my birthday", [Forget("my mom"), ForgetKind("birthday", "me")]),
        ("forget that i like tea and that i hate rum", [Forget("i like tea"), Forget("i hate rum")]),
        ("забудь мой др и работу", [ForgetKind("др", "я"), ForgetKind("работу", "я")]),
        (
            "забудь мой день рождения и где я живу",
            [ForgetKind("день рождения", "я"), ForgetKind("адрес", "я")],
        ),
        ("забудь что я веган и что у меня кот", [Forget("я веган"), Forget("у меня кот")]),
    ],
)
def test_each_of_several_things_is_forgotten_by_itself(text: str, commands: list[Command]) -> None:
    parts = understood(text)
    assert [part.command for part in parts] == commands
    assert all(part.sure and parse(part.text) == part.command for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        "forget my mom and dad's address",
        "forget my cats and dogs",
        "forget that i like bread and butter",
        "forget my birthday party and the cake",
        "forget my bday and job but not my name",
        "forget tom and anna",
        "забудь мой плащ и кинжал",
    ],
)
def test_what_may_be_one_thing_is_forgotten_as_one(text: str) -> None:
    (part,) = understood(text)
    assert isinstance(part.command, Forget)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("forget everything", None),
        ("forget it all", Forget("it all")),
        ("забудь всё", None),
        ("don't forget my birthday", None),
        ("did you forget my birthday?", None),
        ("forget my birthday party is on Friday", Forget("my birthday party is on Friday")),
        ("forget the last of us", Forget("the last of us")),
        ("forget everything I said", ForgetThis()),
        ("forget everything about me", ForgetEverything("me")),
        ("forget all about Bob", ForgetEverything("Bob")),
        ("забудь всё обо мне", ForgetEverything("мне")),
        ("forget that I like nothing but tea", Forget("I like nothing but tea")),
        ("forget everything but my name", None),
        ("forget all but Rex", None),
        ("forget anything but tea", None),
        ("forget not my name", None),
        ("forget nothing about tea", None),
        ("forget everything about me but my name", None),
        ("forget everything about me except my birthday", None),
        ("forget everything about me, not my name", None),
        ("forget all my messages but the last one", None),
        ("can you forget everything but my name?", None),
        ("забудь всё обо мне кроме др", None),
        ("забудь всё, что ты знаешь обо мне, кроме имени", None),
        ("забудь всё обо мне, но не имя", None),
        ("удали всё про меня кроме имени", None),
    ],
)
def test_what_means_no_set_is_none(text: str, command: Command | None) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    "words",
    ["birthday", "Preferences", "nicknames", "age", "pets", "день  рождения", "предпочтения", "возраст"],
)
def test_the_words_for_a_kind_mean_one(words: str) -> None:
    assert fact_kind_of(words) is not None


def test_other_words_mean_no_kind() -> None:
    assert fact_kind_of("cat") is None
