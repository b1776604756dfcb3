"""Commands are understood in two languages, and their words arrive as they were written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.commands import (
    AskMemory,
    Command,
    EraseMine,
    Forget,
    ForgetEverything,
    ForgetKind,
    ForgetThis,
    MoveSubject,
    Remember,
    RememberThis,
    ReplaceValue,
    StopRemembering,
    TakeBack,
)
from bot.text.grammar.parser import is_question, parse


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("remember that I like pizza", "I like pizza"),
        ("Remember that Bob lives in Washington D.C.", "Bob lives in Washington D.C."),
        ("remember: I like pizza.", "I like pizza"),
        ("remember this: I like pizza", "I like pizza"),
        ("remember I like pizza", "I like pizza"),
        ("remember me and Bob are going to Paris", "me and Bob are going to Paris"),
        ("remember movie night is on Friday", "movie night is on Friday"),
        ("remember gruzilkin is Sergey", "gruzilkin is Sergey"),
        ("remember Bob moved to Berlin", "Bob moved to Berlin"),
        ("remember Bob collects stamps", "Bob collects stamps"),
        ("remember @bob’s birthday is 5 May", "@bob’s birthday is 5 May"),
        ("remember that time is money", "time is money"),
        ("remember that\nI like pizza", "I like pizza"),
        ("please remember that I like pizza", "I like pizza"),
        ("remember that I like pizza, please!", "I like pizza"),
        ("remember that I like pizza. Thanks!", "I like pizza"),
        ("remember that I like pizza, ok?", "I like pizza"),
        ("remember that I like pizza ok?", "I like pizza"),
        ("remember to call me Tom", "call me Tom"),
        ("set my birthday to 12 december", "my birthday is 12 december"),
        ("can you save my birthday its 12 dec", "my birthday is 12 dec"),
        ("add my bday 12/12", "my bday is 12/12"),
        ("change my pronouns to they/them", "my pronouns are they/them"),
        ("поставь мой др на 12 декабря", "мой др — 12 декабря"),
        ("remember pls i have a cat", "i have a cat"),
        ("remember please that I have a cat", "I have a cat"),
        ("my birthday is july 4th remember that", "my birthday is july 4th"),
        ("i hate olives pls remember it", "i hate olives"),
        ("my daughter is allergic to bees please remember", "my daughter is allergic to bees"),
        ("ты запомни что я веган", "я веган"),
        ("запоминай: я веган", "я веган"),
        ("so, remember my bday is 5 may alright?", "my bday is 5 may"),
        ("remember my bday is 5 may, got it?", "my bday is 5 may"),
        ("запомни, что я веган ок?", "я веган"),
        ("запомни, что мой др 5 мая, понял?", "мой др 5 мая"),
        ("запомни: мой др 5 мая, ясно?", "мой др 5 мая"),
        ("remember that Bob always says please", "Bob always says please"),
        ("could you remember that I like pizza?", "I like pizza"),
        ("can you please remember that I like pizza?", "I like pizza"),
        ("would you please remember that I like pizza", "I like pizza"),
        ("i want you to remember that I like pizza", "I like pizza"),
        ("note that I like pizza", "I like pizza"),
        ("keep in mind that I like pizza", "I like pizza"),
        ("don’t forget that I like pizza", "I like pizza"),
        ("dont let me forget that I like pizza", "I like pizza"),
        ("save this for later: I like pizza", "I like pizza"),
        ("note to self: I like pizza", "I like pizza"),
        ("I like pizza, dont forget", "I like pizza"),
        ("I like pizza. So please never forget it!", "I like pizza"),
        ("remember that I like pizza thank you", "I like pizza"),
        ("can you remember that I like pizza thanks", "I like pizza"),
        ("remember that he never says thanks", "he never says thanks"),
        ("um remember im vegan", "im vegan"),
        ("id like you to remember my anniversary is may 2nd", "my anniversary is may 2nd"),
        ("make a note i start my new job monday", "i start my new job monday"),
        ("take note im on holiday till the 20th", "im on holiday till the 20th"),
        ("memorise my favorite team is Benfica", "my favorite team is Benfica"),
        ("remind yourself that i dont like spoilers", "i dont like spoilers"),
        ("запомни, что я люблю пиццу", "я люблю пиццу"),
        ("Запомни что Пётр любит чай", "Пётр любит чай"),
        ("запомни: кино в пятницу", "кино в пятницу"),
        ("запомни, кино в пятницу", "кино в пятницу"),
        ("запомни я люблю чай", "я люблю чай"),
        ("запомни Маша любит чай", "Маша любит чай"),
        ("запомни, пожалуйста, что я живу в Москве", "я живу в Москве"),
        ("помни, что мы спим", "мы спим"),
        ("не забудь, что я дома", "я дома"),
        ("не забудь пожалуйста я завтра дома", "я завтра дома"),
        ("учти я не ем рыбу", "я не ем рыбу"),
        ("имей ввиду что я веган", "я веган"),
        ("короче запомни я не пью кофе", "я не пью кофе"),
        ("ну запомни уже что я веган", "я веган"),
        ("запомни что я веган плиз и спасибо", "я веган"),
        ("запомни меня зовут паша", "меня зовут паша"),
        ("заметка: купить хлеб", "купить хлеб"),
        ("remember im vegan please and thank you", "im vegan"),
        ("добавь что мне 27 лет", "мне 27 лет"),
        ("на заметку: пароль от клуба под ковриком", "пароль от клуба под ковриком"),
        ("запомни что я аллергик спасибо", "я аллергик"),
        ("запомни что он никогда не говорит спасибо", "он никогда не говорит спасибо"),
        ("можешь запомнить, что я люблю чай?", "я люблю чай"),
    ],
)
def test_a_statement_to_remember_is_kept_as_written(text: str, statement: str) -> None:
    assert parse(text) == Remember(statement)


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("remember this", None),
        ("Remember that!", None),
        ("save that", None),
        ("keep this in mind", None),
        ("remember this about Florent", "Florent"),
        ("запомни это", None),
        ("запомни это, пожалуйста", None),
        ("запомни это про Машу", "Машу"),
    ],
)
def test_what_was_said_can_be_remembered(text: str, about: str | None) -> None:
    assert parse(text) == RememberThis(about)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("forget that I like pizza", Forget("I like pizza")),
        ("get rid of my birthday", ForgetKind("birthday", "me")),
        ("remove my address from your memory please", ForgetKind("address", "me")),
        ("delete 88231 from your notes", Forget("88231")),
        ("clear my memory", EraseMine()),
        ("purge my data", EraseMine()),
        ("stop saving my stuff", StopRemembering()),
        ("forget the wifi password", Forget("the wifi password")),
        ("forget about pizza", Forget("pizza")),
        ("forget what I said about pizza", Forget("pizza")),
        ("you can forget what I said about pizza", Forget("pizza")),
        ("delete the thing about pizza", Forget("pizza")),
        ("forget i said i like pizza", Forget("i like pizza")),
        ("удали запись о пицце", Forget("пицце")),
        ("забудь, что я люблю пиццу", Forget("я люблю пиццу")),
        ("забудь про кота", Forget("кота")),
        ("забудь мой ключ", Forget("мой ключ")),
        ("убери из памяти мой адрес", ForgetKind("адрес", "я")),
        ("удали последнее", ForgetThis()),
        ("удали последнюю запись", ForgetThis()),
        ("forget that", ForgetThis()),
        ("forget this, please", ForgetThis()),
        ("don't remember this", ForgetThis()),
        ("don’t save that", ForgetThis()),
        ("delete that memory", ForgetThis()),
        ("delete the last thing", ForgetThis()),
        ("forget that last part", ForgetThis()),
        ("forget the last thing i said", ForgetThis()),
        ("unremember that", ForgetThis()),
        ("forget what I just said", ForgetThis()),
        ("забудь это", ForgetThis()),
        ("не запоминай это", ForgetThis()),
        ("забудь, что я сказала", ForgetThis()),
        ("forget everything you know about me", ForgetEverything("me")),
        ("forget all about @bob", ForgetEverything("@bob")),
        ("can you forget everything about me?", ForgetEverything("me")),
        ("forget me", ForgetEverything("me")),
        ("forget <@7>", ForgetEverything("<@7>")),
        ("забудь всё обо мне", ForgetEverything("мне")),
        ("забудь все, что ты знаешь о Маше", ForgetEverything("Маше")),
        ("удали всё про Машу", ForgetEverything("Машу")),
        ("забудь меня", ForgetEverything("меня")),
    ],
)
def test_what_to_forget_is_understood(text: str, command: Command) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("no, I said Tuesday", ReplaceValue("Tuesday")),
        ("no, it's Tuesday", ReplaceValue("Tuesday")),
        ("no wait, it’s 8pm", ReplaceValue("8pm")),
        ("no, I meant Tuesday", ReplaceValue("Tuesday")),
        ("actually it's ramen", ReplaceValue("ramen")),
        ("scratch that, it's Tuesday", ReplaceValue("Tuesday")),
        ("thats wrong its tuesday", ReplaceValue("tuesday")),
        ("you got that wrong, it's Tuesday", ReplaceValue("Tuesday")),
        ("no its leeds not leicester", ReplaceValue("leeds", "leicester")),
        ("its not june its july", ReplaceValue("july", "june")),
        ("i meant sam not tom", ReplaceValue("sam", "tom")),
        ("no not pizza, pasta", ReplaceValue("pasta", "pizza")),
        ("sorry meant friday", ReplaceValue("friday")),
        ("sorry typo its 1998", ReplaceValue("1998")),
        ("nope its spelled Kiki", ReplaceValue("Kiki")),
        ("edit that to 5pm", ReplaceValue("5pm")),
        ("correction my exam is on the 15th", ReplaceValue("my exam is on the 15th")),
        ("not Monday but Tuesday", ReplaceValue("Tuesday", "Monday")),
        ("Tuesday, not Monday", ReplaceValue("Tuesday", "Monday")),
        ("not May 3, May 4", ReplaceValue("May 4", "May 3")),
        ("wrong, it's Tuesday", ReplaceValue("Tuesday")),
        ("no, I said I like ramen", ReplaceValue("I like ramen")),
        ("нет, я сказала, что я люблю рамен", ReplaceValue("я люблю рамен")),
        ("it's ramen, not pizza", ReplaceValue("ramen", "pizza")),
        ("no, on Friday at 8pm", ReplaceValue("on Friday at 8pm")),
        ("that was Tuesday, not Monday", ReplaceValue("Tuesday")),
        ("change it to Friday", ReplaceValue("Friday")),
        ("нет, я сказала во вторник", ReplaceValue("во вторник")),
        ("нет, во вторник", ReplaceValue("во вторник")),
        ("нет, это рамен", ReplaceValue("рамен")),
        ("я имел ввиду пятницу", ReplaceValue("пятницу")),
        ("исправь мне не 20 а 21", ReplaceValue("21", "20")),
        ("опечатка 1998", ReplaceValue("1998")),
        ("не в понедельник, а во вторник", ReplaceValue("во вторник", "в понедельник")),
        ("во вторник, а не в понедельник", ReplaceValue("во вторник", "в понедельник")),
        ("scrap that", TakeBack()),
        ("scratch that", TakeBack()),
        ("no, undo that!", TakeBack()),
        ("I take that back", TakeBack()),
        ("отмени", TakeBack()),
        ("отмени это", TakeBack()),
        ("зачеркни это", TakeBack()),
        ("that was Bob, not me", MoveSubject("Bob")),
        ("no, that's about Bob, not me", MoveSubject("Bob")),
        ("I meant Bob, not me", MoveSubject("Bob")),
        ("Bob, not me", MoveSubject("Bob")),
        ("not me, but Bob", MoveSubject("Bob")),
        ("that was <@7>, not me", MoveSubject("<@7>")),
        ("that was me, not Bob", MoveSubject("me")),
        ("это был я, а не Боб", MoveSubject("я")),
        ("это был Боб, а не я", MoveSubject("Боб")),
        ("это про Боба, не про меня", MoveSubject("Боба")),
        ("не я, а Боб", MoveSubject("Боб")),
        ("это не я это Боб", MoveSubject("Боб")),
    ],
)
def test_a_correction_says_what_was_meant(text: str, command: Command) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("what do you know about @user?", "@user"),
        ("What do you know about me", "me"),
        ("what do you know about us?", None),
        ("what do you know about this server?", None),
        ("what do you remember about Bob?", "Bob"),
        ("what do you remember?", "me"),
        ("what do you know?", None),
        ("who is Bob?", "Bob"),
        ("who’s gruzilkin?", "gruzilkin"),
        ("who am I?", "me"),
        ("tell me what you know about Bob", "Bob"),
        ("could you tell me about Bob?", "Bob"),
        ("do you know anything about Bob?", "Bob"),
        ("что ты знаешь обо мне?", "мне"),
        ("что ты знаешь о Маше", "Маше"),
        ("что ты помнишь про Машу?", "Машу"),
        ("покажи всё обо мне", "мне"),
        ("что ты знаешь о нашем сервере?", None),
        ("расскажи мне о Сергее", "Сергее"),
        ("кто такой Сергей?", "Сергей"),
        ("кто я?", "я"),
    ],
)
def test_whom_a_question_is_about_is_kept_as_written(text: str, about: str | None) -> None:
    assert parse(text) == AskMemory(about)


statements = st.lists(
    st.sampled_from("Bob tea likes the movie on Friday Маша любит чай в пятницу и кота".split()),
    min_size=3,
    max_size=8,
).map(lambda words: "I said " + " ".join(words))


@given(
    st.sampled_from(
        ["remember that", "please remember that", "Remember:", "запомни, что", "Запомни:", "не забудь, что"]
    ),
    statements,
    st.sampled_from(["", ".", ", please", ", thanks!", ", пожалуйста"]),
)
def test_every_statement_comes_back_as_it_was_written(order: str, statement: str, ending: str) -> None:
    assert parse(f"{order} {statement}{ending}") == Remember(statement)


@pytest.mark.parametrize(
    "text",
    [
        "how are you?",
        "who are you",
        "are you an ai",
        "r u a bot or a real person",
        "whats this thing do",
        "how do i turn you off",
        "how does this work",
        "do you remember what we talked about",
        "ты бот или человек",
        "как тебя отключить",
        "ты помнишь, о чем мы говорили",
        "what is this ?",
        "so, can you help?",
        "is it Friday?",
        "и как дела",
        "ты тут?",
        "что ты умеешь?",
        "есть ли чай?",
        "почему так?!",
        "where's Bob?",
        "What’s up",
    ],
)
def test_a_question_is_known_by_its_form(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "how nice",
        "lane is feeding again?",
        "or not?",
        "is broken?",
        "whatever?",
        "what a game?",
        "will win?",
        "или нет?",
        "как обычно?",
        "что ли?",
        "кто-то тут?",
        "?",
        "",
    ],
)
def test_what_has_no_form_of_a_question_is_none(text: str) -> None:
    assert not is_question(text)
