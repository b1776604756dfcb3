"""How members say what shall be kept of them, in both languages; a question changes nothing."""

import pytest

from bot.text.commands import (
    AskMemory,
    BePrivate,
    ChooseCategory,
    Command,
    EraseMine,
    ExportMine,
    Forget,
    ForgetEverything,
    ForgetThis,
    KeepNothingHere,
    RememberAgain,
    StopRemembering,
    TellCategories,
)
from bot.text.grammar.parser import parse

OFF, ON, EXPORT, ERASE = StopRemembering(), RememberAgain(), ExportMine(), EraseMine()
HIDE, SHOW = BePrivate(True), BePrivate(False)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("stop remembering me", OFF),
        ("stop listening to me", OFF),
        ("dont learn anything about me anymore", OFF),
        ("Please stop keeping what I say.", OFF),
        ("don't remember me any more", OFF),
        ("don’t keep anything about me", OFF),
        ("I don't want you to remember me", OFF),
        ("remember nothing about me", OFF),
        ("opt me out", OFF),
        ("dont save my msgs", OFF),
        ("stop collecting my data", OFF),
        ("dont read my messages", OFF),
        ("перестань меня читать", OFF),
        ("не читай мои сообщения", OFF),
        ("dont keep track of me", OFF),
        ("i dont want to be remembered", OFF),
        ("i dont want u remembering me", OFF),
        ("turn ur memory off", OFF),
        ("pause memory", OFF),
        ("memory on", ON),
        ("start tracking me again", ON),
        ("dont tell ppl about me", HIDE),
        ("can you stop remembering me?", OFF),
        ("could you please stop tracking me", OFF),
        ("remember me again", ON),
        ("you may remember me", ON),
        ("start remembering me again, please", ON),
        ("opt me back in", ON),
        ("keep me private", HIDE),
        ("don't tell anyone about me", HIDE),
        ("tell nobody about me", HIDE),
        ("you may tell others about me again", SHOW),
        ("I'm no longer private", SHOW),
        ("i'm not private anymore", SHOW),
        ("don't keep my feelings", ChooseCategory("feeling", kept=False)),
        ("stop remembering my plans", ChooseCategory("event", kept=False)),
        ("keep my events for 30 days", ChooseCategory("event", kept=True, days=30)),
        ("keep my places only for 2 weeks", ChooseCategory("place", kept=True, days=14)),
        ("keep my preferences again", ChooseCategory("preference", kept=True)),
        ("don't keep my profile", ChooseCategory("profile", kept=False)),
        ("which kinds of memories do you keep about me?", TellCategories()),
        ("what categories do you keep", TellCategories()),
        ("send me what you keep about me", EXPORT),
        ("Send me everything you know about me, please!", EXPORT),
        ("export my data", EXPORT),
        ("send me everything youve got on me", EXPORT),
        ("can I have my data?", EXPORT),
        ("gimme my data", EXPORT),
        ("i want a copy of my data", EXPORT),
        ("could you send me what you have about me?", EXPORT),
        ("forget me completely", ERASE),
        ("forget me for good", ERASE),
        ("forget me forever", ERASE),
        ("can you forget me completely?", ERASE),
        ("erase me", ERASE),
        ("delete all my data", ERASE),
        ("remove all my info", ERASE),
        ("erase all data about me", ERASE),
        ("erase everything you keep about me", ERASE),
        ("перестань меня запоминать", OFF),
        ("не запоминай меня больше", OFF),
        ("больше не запоминай ничего обо мне", OFF),
        ("Я не хочу, чтобы ты меня запоминал", OFF),
        ("можешь меня не запоминать?", OFF),
        ("не надо меня запоминать", OFF),
        ("не хочу чтоб ты меня помнил", OFF),
        ("прекрати собирать мои данные", OFF),
        ("память выкл", OFF),
        ("запоминай меня", ON),
        ("запоминай меня снова", ON),
        ("разрешаю меня запоминать", ON),
        ("никому не рассказывай обо мне", HIDE),
        ("обо мне никому не говори", HIDE),
        ("сделай мой профиль приватным", HIDE),
        ("не рассказывай обо мне другим", HIDE),
        ("рассказывай обо мне другим", SHOW),
        ("не запоминай мои чувства", ChooseCategory("feeling", kept=False)),
        ("храни мои события 30 дней", ChooseCategory("event", kept=True, days=30)),
        ("запоминай мои предпочтения снова", ChooseCategory("preference", kept=True)),
        ("какие категории ты обо мне хранишь?", TellCategories()),
        ("пришли мне всё, что ты обо мне хранишь", EXPORT),
        ("выгрузи мои данные", EXPORT),
        ("забудь меня полностью", ERASE),
        ("можешь забыть меня навсегда?", ERASE),
        ("сотри всё, что ты обо мне хранишь", ERASE),
        ("удали все мои данные, пожалуйста", ERASE),
    ],
)
def test_it_is_understood_as_it_is_said(text: str, command: Command) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    "text",
    [
        "did you stop remembering me?",
        "will you forget me?",
        "do you forget me?",
        "stop remembering me?",
        "remember me?",
        "remember me",
        "can you remember me again?",
        "do you keep my feelings?",
        "will you erase me?",
        "I was told to stop remembering me",
        "stop it",
        "opt for tea",
        "i want my data plan back",
        "memory off topic",
        "keep my seat for 5 minutes",
        "ты перестал меня запоминать?",
        "ты забудешь меня?",
        "запомни меня",
        "ты рассказываешь обо мне другим?",
    ],
)
def test_a_question_or_other_talk_decides_nothing(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("forget me", ForgetEverything("me")),
        ("can you forget me?", ForgetEverything("me")),
        ("forget everything about me", ForgetEverything("me")),
        ("forget me not", Forget("me not")),
        ("tell me about me", AskMemory("me")),
        ("забудь меня", ForgetEverything("меня")),
        ("можешь забыть меня?", ForgetEverything("меня")),
        ("не запоминай", ForgetThis()),
        ("не запоминай это", ForgetThis()),
        ("расскажи обо мне", AskMemory("мне")),
    ],
)
def test_what_it_resembles_stays_what_it_was(text: str, command: Command) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    "text",
    [
        "don't remember anything in this channel",
        "please don't keep anything from this channel",
        "dont record what we say here",
        "stop listening here",
        "can you stop recording this channel?",
        "remember nothing in this channel",
        "ignore this channel",
        "не запоминай ничего в этом канале",
        "больше не записывай ничего здесь",
        "хватит записывать тут",
        "не слушай этот канал",
    ],
)
def test_an_order_about_a_whole_channel_is_understood_as_such(text: str) -> None:
    assert parse(text) == KeepNothingHere()


@pytest.mark.parametrize(
    "text",
    [
        "don't forget anything here",
        "do you listen here?",
        "stop listening to that song here",
        "don't read the news in this channel",
        "не слушай его",
    ],
)
def test_talk_that_sounds_like_it_is_no_order_about_a_channel(text: str) -> None:
    assert parse(text) != KeepNothingHere()
