"""What is typed in a hurry, among other sentences, or several at once is understood; what is not sure is asked back."""

import pytest

from bot.chat.addressed import addressed
from bot.text.commands import (
    AskCatchUp,
    AskFact,
    AskHelp,
    AskMemory,
    Command,
    EraseMine,
    Forget,
    ForgetEverything,
    ForgetKind,
    ForgetThis,
    QuestionForm,
    Remember,
    Remind,
    ReplaceValue,
    StopRemembering,
    TakeBack,
)
from bot.text.grammar.parser import parse
from bot.text.grammar.understanding import understood


def sure(text: str) -> list[Command]:
    """The commands of a text, all of which are sure."""
    parts = understood(text)
    assert all(part.sure for part in parts), parts
    return [part.command for part in parts]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("rember i love ramen", Remember("i love ramen")),
        ("remmeber I have two cats", Remember("I have two cats")),
        ("pls remeber that im from leeds", Remember("im from leeds")),
        ("dont forget im left handed", Remember("im left handed")),
        ("could u remember i hate olives", Remember("i hate olives")),
        ("would you mind remembering that I hate olives?", Remember("I hate olives")),
        ("write down that I hate olives", Remember("I hate olives")),
        ("forgt that i like pizza", Forget("i like pizza")),
        ("what do u know abt me", AskMemory("me")),
        ("waht do you konw about me", AskMemory("me")),
        ("whatcha know about me?", AskMemory("me")),
        ("tell me everything u know about bob", AskMemory("bob")),
        ("запони, что я люблю чай", Remember("я люблю чай")),
        ("пжпж запомни пожалуйстааа я люблю чай", Remember("я люблю чай")),
        ("братан запомни я люблю чай", Remember("я люблю чай")),
        ("запоминай что я люблю чай", Remember("я люблю чай")),
        ("забудь чо я люблю чай", Forget("я люблю чай")),
        ("my bday is may 5 not may 6", Remember("my bday is may 5")),
        ("my name isnt tom its tim", Remember("my name is tim")),
        ("мой др 6 мая а не 5", Remember("мой др — 6 мая")),
        ("неее вторник", ReplaceValue("вторник")),
        ("сорри среда", ReplaceValue("среда")),
        ("имел ввиду среду", ReplaceValue("среду")),
        ("замени на среду", ReplaceValue("среду")),
        ("мне 20 а не 19", ReplaceValue("20", "19")),
        ("запомни плз что у меня аллергия на орехи", Remember("у меня аллергия на орехи")),
        ("запомни раз и навсегда: я ненавижу оливки", Remember("я ненавижу оливки")),
        ("добавь в память: я ненавижу оливки", Remember("я ненавижу оливки")),
        ("забуть что я люблю пиццу", Forget("я люблю пиццу")),
        ("че ты знаешь обо мне", AskMemory("мне")),
        ("чё ты обо мне знаешь", AskMemory("мне")),
        ("чё знаешь про меня?", AskMemory("меня")),
        ("bro remember im vegan", Remember("im vegan")),
        ("remember im vegan pls n ty", Remember("im vegan")),
        ("pls rember taht my sister is called Lena", Remember("my sister is called Lena")),
        ("remember tgat im vegan", Remember("im vegan")),
        ("I said Friday", ReplaceValue("Friday")),
        ("верни как было", TakeBack()),
        ("you should remember that I am left handed", Remember("I am left handed")),
        ("dont forget that the raid is on saturday k thx", Remember("the raid is on saturday")),
        ("remember this plan: we meet at 8", Remember("we meet at 8")),
        ("save this: I live upstairs", Remember("I live upstairs")),
        ("remember  that i've  moved to leeds", Remember("i've moved to leeds")),
        ("запомни плиз я не ем рыбу", Remember("я не ем рыбу")),
        ("call me Ali from now on", Remember("call me Ali")),
        ("я не пью молоко запомни это", Remember("я не пью молоко")),
        ("anything on bob?", AskMemory("bob")),
        ("зови меня Машуля", Remember("зови меня Машуля")),
        ("remember my specs: 32 GB", Remember("my specs: 32 GB")),
        ("remember i hate olives 🫒", Remember("i hate olives")),
        ("remember that my favourite emoji is 🐱", Remember("my favourite emoji is 🐱")),
        ("forget where I live", ForgetKind("home", "me")),
        ("forget everything", ForgetEverything("me")),
        ("delete everything", ForgetEverything("me")),
        ("сотри всё", ForgetEverything("мне")),
        ("забудь, где я живу", ForgetKind("адрес", "я")),
        ("optout", StopRemembering()),
        ("oops undo", TakeBack()),
        ("meant thursday not friday", ReplaceValue("thursday", "friday")),
        ("thursday i mean", ReplaceValue("thursday")),
        ("change to thursday", ReplaceValue("thursday")),
        ("actualy its thursday", ReplaceValue("thursday")),
        ("show me my facts", AskMemory("me")),
        ("покажи мои факты", AskMemory("я")),
    ],
)
def test_slips_and_text_speak_in_the_words_that_command_are_read_over(text: str, command: Command) -> None:
    assert sure(text) == [command]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("remember that I'm on holiday until Sunday. See you!", "I'm on holiday until Sunday"),
        ("remember that I live on St. James street", "I live on St. James street"),
        ("I'm vegan. Remember that.", "I'm vegan"),
        ("hi everyone im vegan, remember that", "im vegan"),
        ("I hate olives, remember that", "I hate olives"),
        ("Good morning. I hate olives, remember that!", "I hate olives"),
        ("я веган. Запомни это.", "я веган"),
        ("ненавижу оливки, запомни плиз", "ненавижу оливки"),
        ("remember that\nI hate olives", "I hate olives"),
        ("remember that I said “stop. Forget that I like tea”", "I said “stop. Forget that I like tea”"),
    ],
)
def test_the_sentence_that_is_meant_is_taken_and_no_other(text: str, statement: str) -> None:
    assert sure(text) == [Remember(statement)]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (
            "remember that I like pizza and forget that I like tea",
            [Remember("I like pizza"), Forget("I like tea")],
        ),
        (
            "remember im vegan, forget that i like bacon",
            [Remember("im vegan"), Forget("i like bacon")],
        ),
        (
            "remember im vegan and dont save my messages",
            [Remember("im vegan"), StopRemembering()],
        ),
        (
            "please forget me and dont remember me again",
            [ForgetEverything("me"), StopRemembering()],
        ),
        ("remember I like tea. what do you know about me?", [Remember("I like tea"), AskMemory("me")]),
        (
            "remember im vegan, and btw whats my birthday?",
            [Remember("im vegan"), AskFact(QuestionForm.WHAT, "my birthday")],
        ),
        (
            "remember I like tea. who likes ramen?",
            [Remember("I like tea"), AskFact(QuestionForm.WHO, "likes ramen")],
        ),
        ("remember I like tea, and what do you know about bob?", [Remember("I like tea"), AskMemory("bob")]),
        (
            "remember that I like tea\nremember that I hate figs",
            [Remember("I like tea"), Remember("I hate figs")],
        ),
        (
            "remember these things about me:\n- I'm vegan\n- I live in Leeds",
            [Remember("I'm vegan"), Remember("I live in Leeds")],
        ),
        ("запомни про меня:\n- я веган\n- живу в Казани", [Remember("я веган"), Remember("живу в Казани")]),
        (
            "запомни, что я люблю чай, и забудь, что я люблю кофе",
            [Remember("я люблю чай"), Forget("я люблю кофе")],
        ),
        (
            "remember: 1) I like tea, 2) I hate coffee 3) my birthday is 4 July",
            [Remember("I like tea"), Remember("I hate coffee"), Remember("my birthday is 4 July")],
        ),
        ("запомни 1. я веган 2. у меня кот", [Remember("я веган"), Remember("у меня кот")]),
        ("remember that room 1) is locked", [Remember("room 1) is locked")]),
    ],
)
def test_each_command_of_a_message_is_one_of_its_own(text: str, commands: list[Command]) -> None:
    assert sure(text) == commands


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("remember vegan", Remember("I'm vegan")),
        ("remember pizza night on the beach", Remember("pizza night on the beach")),
        ("never forget that I love tea", Remember("I love tea")),
        ("remember that I always laugh and forget my lines", Remember("I always laugh and forget my lines")),
        ("remember that I like tea, jk", Remember("I like tea")),
        ("remember that I like tea. nvm", Remember("I like tea")),
        ("forget that I like tea. no wait dont", Forget("I like tea")),
        ("forget everything about me jk", ForgetEverything("me")),
        ("delete my data lol jk", EraseMine()),
        ("stop remembering me. no wait", StopRemembering()),
        ("забудь что я люблю чай. стой, не надо", Forget("я люблю чай")),
        ("remember that I like tea. Just kidding", Remember("I like tea")),
        ("jo hates olives, dont forget", Remember("jo hates olives")),
        ("tom's birthday is june 4, remember this", Remember("tom's birthday is june 4")),
        ("remember this im vegan now", Remember("im vegan now")),
        ("save this my friend code is 88231", Remember("my friend code is 88231")),
        ("for future reference im colorblind", Remember("im colorblind")),
        ("can you remember for me that rent is due on the 3rd", Remember("rent is due on the 3rd")),
        ("could u pls keep in mind my kids go to bed at 8", Remember("my kids go to bed at 8")),
        ("forgt pizza", Forget("pizza")),
        ("stop rememberin me", StopRemembering()),
        ("сохрани это я левша", Remember("я левша")),
        ("You got this! And remember that anything is possible", Remember("anything is possible")),
        (
            "That hurts, but don't forget they mean well. Keep it up",
            Remember("they mean well. Keep it up"),
        ),
    ],
)
def test_what_is_not_sure_is_understood_and_not_sure(text: str, command: Command) -> None:
    (part,) = understood(text)
    assert not part.sure
    assert part.command == command
    assert parse(part.text) == command, "the words that are asked about give it surely"


@pytest.mark.parametrize(
    "text",
    [
        "remember to buy milk",
        "don't forget to call mum",
        "remind me to drink water tomorrow",
        "can you remember me to buy milk",
        "remind me about the dentist",
        "не забудь купить молоко",
        "не забудь купить а Friday",
        "напомни мне купить молоко",
    ],
)
def test_a_wish_to_be_reminded_is_known_as_one(text: str) -> None:
    (command,) = sure(text)
    assert isinstance(command, Remind)
    (note,) = sure(command.note)
    assert isinstance(note, Remember)


@pytest.mark.parametrize(
    "text",
    [
        "remember when we went to Prague?",
        "remember the movie we were watching",
        "do you remember that I like tea?",
        "forget it",
        "remember that guy from the party",
        "remember that movie with the dog",
        "remember that one time",
        "you suck, remember that",
        "call me later",
        "November is cold",
        "forged in fire",
        "I forgot my keys. Forget it!",
        "members only. See you",
        "remember? I was there. It was fun",
        "заполни форму",
        "вспомни, как мы гуляли",
        "запомнил. спасибо",
    ],
)
def test_talk_gives_no_command(text: str) -> None:
    assert understood(text) == ()


@pytest.mark.parametrize(
    ("said", "commands"),
    [
        (
            "Bot, remember that I like figs and Bot, remember that I like plums",
            [Remember("I like figs"), Remember("I like plums")],
        ),
        ("bot can you keep in mind that bob hates surprises", [Remember("bob hates surprises")]),
        ("Bot undo that last thing", [TakeBack()]),
        ("бот напомни завтра позвонить маме", [Remind("запомни, что мне надо завтра позвонить маме")]),
    ],
)
def test_a_name_amid_commands_and_words_for_haste_are_read_over(said: str, commands: list[Command]) -> None:
    heard = addressed(said, names=("Bot", "Бот"), bot_id=1, replies_to_bot=False, direct=False)
    assert heard is not None
    assert [part.command for part in heard.parts] == commands


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("remember im allergic to peanuts ok thx", Remember("im allergic to peanuts")),
        ("remember im allergic to peanuts thx bud", Remember("im allergic to peanuts")),
        ("remember im allergic to peanuts pls lol", Remember("im allergic to peanuts")),
        ("remember im allergic to peanuts, kk bye", Remember("im allergic to peanuts")),
        ("remember my moms bday is june 3 kthxbye", Remember("my moms bday is june 3")),
        ("запомни что я веган ок спс", Remember("я веган")),
        ("запомни я веган пжл", Remember("я веган")),
        ("запомни я живу в туле лол", Remember("я живу в туле")),
        ("запомни я живу в туле))", Remember("я живу в туле")),
        ("забудь что я живу в туле (", Forget("я живу в туле")),
        ("запомни я живу в туле, заранее спасибо", Remember("я живу в туле")),
        ("запомни я живу в туле это важно", Remember("я живу в туле")),
        ("запомни я живу в туле хорошо?", Remember("я живу в туле")),
        ("remember im vegan its really important", Remember("im vegan")),
        ("remember im vegan (really)", Remember("im vegan (really)")),
        ("forget that im vegan ok bye", Forget("im vegan")),
        ("forget what i said lol", ForgetThis()),
        ("забудь что я сказал лол", ForgetThis()),
        ("forget me lol", ForgetEverything("me")),
        ("delete my data ok thx", EraseMine()),
        ("opt me out thx bye", StopRemembering()),
        ("dont remember me ok", StopRemembering()),
        ("undo ty", TakeBack()),
        ("отмена лол", TakeBack()),
        ("no its tuesday lol", ReplaceValue("tuesday")),
        ("i meant friday not thursday sorry", ReplaceValue("friday", "thursday")),
        ("what do you know about me lol", AskMemory("me")),
        ("what did i miss lol", AskCatchUp()),
        ("что я пропустил лол", AskCatchUp()),
        ("help lol", AskHelp()),
    ],
)
def test_what_only_closes_a_message_is_no_part_of_what_it_says(said: str, command: Command) -> None:
    assert sure(said) == [command]


@pytest.mark.parametrize(
    "statement",
    [
        "my dog is ok",
        "my dog is called lol",
        "tom always says thx",
        "my name is ty",
        "im friends with ty",
        "i feel ok",
        "it all went ok",
        "my nick: lol",
        "меня зовут лол",
    ],
)
def test_a_word_that_the_sentence_needs_stays_at_its_end(statement: str) -> None:
    order = "remember that" if statement.isascii() else "запомни что"
    assert sure(f"{order} {statement}") == [Remember(statement)]


@pytest.mark.parametrize(
    "said",
    [
        "im new here what can you do",
        "i just joined, so how do i use you",
        "hi! im new what can u do?",
        "я тут новенький что ты умеешь",
        "я только пришла, как тобой пользоваться",
    ],
)
def test_who_says_that_they_are_new_may_ask_what_can_be_said(said: str) -> None:
    assert sure(said) == [AskHelp()]
