"""What is not sure is no command, and a question never is one that changes anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.commands import AskMemory, Command, MoveSubject, Remind, ReplaceValue, Search, TakeBack
from bot.text.grammar.parser import LONGEST_COMMAND, is_question, parse, parse_reply


@pytest.mark.parametrize(
    "text",
    [
        "remember?",
        "remember me?",
        "remember that?",
        "remember when we met",
        "remember the time we met",
        "remember the movie we were watching",
        "remember that time we went to Berlin",
        "remember that guy from the party",
        "remember Bob",
        "remember? I like pizza",
        "remember all the fun we had",
        "Remember, remember the fifth of November",
        "do you remember Bob?",
        "can you remember that?",
        "can you remember Bob's birthday?",
        "will you remember that I like pizza?",
        "remember that I said so, right?",
        "remember that I am ok?",
        "remember my sister is okay?",
        "is Bob ok?",
        "my friends remember that",
        "my mom is like dont forget",
        "i love how people say dont forget",
        "I hate olives, Kim remember that",
        "i still remember that",
        "i like it when people remember that",
        "im glad u remember that",
        "you suck remember that",
        "I can't remember where I put my keys",
        "i remember that day",
        '"remember that I like pizza"',
        "note-taking is fun",
        "forget it",
        "forget about it!",
        "forget to call",
        "forget everything",
        "can you forget things?",
        "did you forget that I am here?",
        "I forgot that Bob likes tea",
        "no",
        "no, thanks",
        "no, Alice",
        "no, it's fine",
        "no, that's wrong",
        "no, I said nothing of the kind",
        "actually nobody likes it",
        "actually I think it's Tuesday",
        "I like pizza, not pasta",
        "my job is fun not boring",
        "my job isnt fun its boring",
        "my bad bro",
        "replace tom with bob",
        "change my mind to yes please",
        "remember its important",
        "lane, not top",
        "that's funny, not sad",
        "maybe, not sure",
        "why not me?",
        "I meant well",
        "forget pizza lets get tacos",
        "forget about dinner lets just order",
        "its not worth it",
        "no its fine not bad",
        "no its his turn not mine",
        "no its time not now",
        "sorry meant to ping",
        "nah its chill",
        "no not again",
        "you got that wrong",
        "get rid of top",
        "get rid of the last one",
        "remind yourself to shut up",
        "never mind that",
        "change my mind to yes",
        "forget u",
        "forget the whole thing",
        "forget about it its fine",
        "forget my last question",
        "forget about tom tell me a joke",
        "call me stupid",
        "call me crazy but i like it",
        "i want to be called back later",
        "you can call me later",
        "*laughs*",
        "lol*",
        "remind me whats my timezone",
        "my friends please remember",
        "add my name to the list",
        "add my favorite song to the queue",
        "поставь мой трек на повтор",
        "замени петю на васю",
        "я ошибся адресом",
        "it's about time, not money",
        "who is online?",
        "who are you?",
        "who is the best?",
        "whos vegan",
        "whos allergic",
        "who's german",
        "tell me about yourself",
        "запомни меня",
        "запомни что сказал петя",
        "не надо запоминать",
        "запомни, когда мы встретились",
        "запомни мой пароль навсегда",
        "запомнил",
        "ты помнишь, как мы гуляли?",
        "я не помню, где ключи",
        "ты запомнил, что я сказал?",
        "забудь",
        "забудь об этом",
        "забудь об этом всё норм",
        "забудь мой вопрос",
        "забудь что я спросил",
        "забудь про петю расскажи анекдот",
        "забудь я пошутил",
        "никому не говори",
        "напомни мне мой др",
        "remind me of my birthday",
        "забудь пиццу давайте роллы",
        "убери это",
        "забудь про обед пошли в кс",
        "это не мне это тебе",
        "забудь, я пошутил",
        "я забыл, что Маша любит чай",
        "нет, спасибо",
        "нет, не надо",
        "нет, это неправда",
        "вообще-то я люблю чай",
        "lane is feeding again",
        "",
    ],
)
def test_what_is_not_sure_is_no_command(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    ["no rush", "no cap", "no doubt", "no idea", "no need", "no one cares", "no offense", "no stress",
     "no joke", "no clue", "nah bro", "no big deal", "wrong channel", "actually useful", "no chance",
     "no lol", "no my bad", "no, nevermind", "No way", "нет слов", "нет сил", "нет времени", "нет, забей",
     "нет, хватит", "нет, забудь", "нет, неважно", "not me", "not me lol",
     "not me tho", "its not tom", "its probably not tom",
     "thats cool not gonna lie", "its raining not snowing", "its fine not bad", "i was joking about the dog", "ok thx",
     "не я", "не мне решать"],
)  # fmt: skip
def test_small_talk_in_reply_to_a_confirmation_puts_nothing_right(text: str) -> None:
    assert parse_reply(text.strip()) is None
    assert parse_reply(text.strip(), to_confirmation=False) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no, 26", "26"),
        ("no 26", "26"),
        ("no, Moxi", "Moxi"),
        ("no Moxi", "Moxi"),
        ("no, the cello", "the cello"),
        ("no the cello", "the cello"),
        ("no wait pasta", "pasta"),
        ("нет, кофе", "кофе"),
        ("нет Маша", "Маша"),
    ],
)
def test_a_value_in_reply_to_a_confirmation_puts_it_right(text: str, value: str) -> None:
    assert parse_reply(text) == ReplaceValue(value)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("its sara not sarah lol", ReplaceValue("sara", "sarah")),
        ("its spelled sara", ReplaceValue("sara")),
        ("i meant to say oslo", ReplaceValue("oslo")),
        ("not me, tom", MoveSubject("tom")),
        ("not about me, about tom", MoveSubject("tom")),
        ("не я, петя", MoveSubject("петя")),
        ("jk lol", TakeBack()),
        ("that was just a joke", TakeBack()),
        ("im kidding", TakeBack()),
        ("шучу", TakeBack()),
        ("forget it im kidding", TakeBack()),
        ("забудь я пошутил", TakeBack()),
    ],
)
def test_what_is_said_in_haste_after_a_write_is_about_that_and_nothing_else(
    text: str, command: Command
) -> None:
    assert parse_reply(text) == parse_reply(text, to_confirmation=False) == command
    assert parse(text) is None


def writes(command: Command | None) -> bool:
    """Whether carrying the command out would change what is kept."""
    return command is not None and not isinstance(command, AskMemory | Search | Remind)


topics = st.one_of(
    st.sampled_from(
        [
            "pizza",
            "me",
            "Bob",
            "the movie",
            "<@7>",
            "@bob",
            "that",
            "it",
            "us",
            "Tuesday",
            "8pm",
            "my keys",
            "I like tea",
        ]
    ),
    st.sampled_from(["пиццу", "меня", "Машу", "это", "всё", "вторник", "что я люблю чай", "я живу в Москве"]),
    st.lists(
        st.sampled_from(
            "Bob likes that tea is on Friday remember forget you not me что я не а забудь".split()
        ),
        min_size=1,
    ).map(" ".join),
)
openings = st.sampled_from(
    ["", "hey, ", "so ", "and ", "please ", "ok, ", "ну ", "а ", "слушай, ", "пожалуйста, "]
)
endings = st.sampled_from(["?", " ?", "??", "?!", "…?", " please?", ", please?"])
question_words = st.sampled_from(
    [
        "do you remember",
        "do you remember that",
        "did you forget",
        "did you forget that",
        "what do you remember about",
        "who said that",
        "what did you forget about",
        "when did you forget",
        "why do you remember",
        "why did I say",
        "don't you remember",
        "have you forgotten",
        "remember",
        "remember when",
        "remember that",
        "forget that",
        "forget",
        "is it",
        "no, is it",
        "was that",
        "did I say",
        "actually",
        "not",
        "scratch",
        "ты помнишь",
        "ты помнишь, что",
        "помнишь",
        "ты забыл",
        "ты забыл, что",
        "что ты помнишь о",
        "почему ты забыл",
        "когда ты запомнил",
        "запомнил",
        "запомни, что",
        "забудь, что",
        "забудь",
        "запомни",
        "нет,",
        "это",
        "не",
    ]
)


@given(openings, question_words, topics, endings)
def test_a_question_is_never_a_command(opening: str, start: str, topic: str, ending: str) -> None:
    text = f"{opening}{start} {topic}{ending}"
    assert not writes(parse(text)), text


@given(
    openings,
    st.sampled_from(
        [
            "I can't remember where I put",
            "I don't remember",
            "I cannot forget",
            "I remember that",
            "I remember when",
            "I forgot that",
            "we forgot",
            "he remembers that",
            "never forget",
            "you always forget",
            "nobody remembers",
            "let's forget",
            "remember when",
            "remember how",
            "remember the time we",
            "remember that time when",
            "forget how",
            "remember to",
            "don't forget to",
            "Bob said remember that",
            "я не помню",
            "я помню, что",
            "я забыл",
            "я забыла, что",
            "мы запомнили",
            "не могу запомнить",
            "он помнит, что",
            "помню",
            "забыли про",
            "запомни, когда",
            "запомни, как",
            "забудь, как",
            "не забудь купить",
            "не забудь про",
        ]
    ),
    topics,
    st.sampled_from(["", ".", "!", "?", "..."]),
)
def test_talk_about_remembering_is_never_a_command(opening: str, start: str, topic: str, ending: str) -> None:
    text = f"{opening}{start} {topic}{ending}"
    assert not writes(parse(text)), text


@given(
    st.text()
    | st.lists(st.sampled_from("remember that forget no , not ? : it's запомни что не а".split())).map(
        " ".join
    )
)
def test_no_text_breaks_the_grammar(text: str) -> None:
    parse(text)
    is_question(text)


@given(
    st.sampled_from(
        ["please ", "remember that ", "no, ", "that was A, not ", ",", " ", "?", "забудь всё о ", "so "]
    )
)
def test_a_text_too_long_for_a_message_is_no_command(piece: str) -> None:
    assert parse("remember that " + piece * LONGEST_COMMAND) is None
