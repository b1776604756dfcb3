"""The bot answers when it is spoken to, and only then."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.addressed import addressed

BOT_ID = 5
NAMES = ("Bot", "Бот", "Keepsake", "Пётр")


def said(text: str, *, replies_to_bot: bool = False, direct: bool = False) -> str | None:
    found = addressed(text, names=NAMES, bot_id=BOT_ID, replies_to_bot=replies_to_bot, direct=direct)
    return found.text if found else None


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Bot, hello", "hello"),
        ("BOT,hello", "hello"),
        ("Бот: привет", "привет"),
        ("Keepsake, remember this", "remember this"),
        ("петр, привет", "привет"),
        ("hey Bot, how are you?", "how are you?"),
        ("Hello, Bot: tell me about Bob", "tell me about Bob"),
        ("эй, бот, запомни это", "запомни это"),
        ("please, Bot, remember that I like tea", "remember that I like tea"),
        ("Bot,", ""),
        ("@Bot remember this", "remember this"),
    ],
)
def test_a_name_before_a_comma_or_colon_addresses_the_bot(message: str, text: str) -> None:
    assert said(message) == text


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Bot remember that I like tea", "remember that I like tea"),
        ("bot forget that", "forget that"),
        ("Bot what do you know about @user", "what do you know about @user"),
        ("Bot how are you?", "how are you?"),
        ("hey bot who wrote this?", "who wrote this?"),
        ("ay bot rember that I like tea", "rember that I like tea"),
        ("heyy bot, forget that", "forget that"),
        ("Bot no, it's Tuesday", "no, it's Tuesday"),
        ("Bot! remember that I like tea", "remember that I like tea"),
        ("бот запомни, что я люблю чай", "запомни, что я люблю чай"),
        ("Бот как дела", "как дела"),
        ("Бот что ты знаешь обо мне", "что ты знаешь обо мне"),
        ("what do you know about me, Bot?", "what do you know about me?"),
        ("remember that Bob likes tea, bot", "remember that Bob likes tea"),
        ("Are you there, Bot?!", "Are you there?!"),
        ("что ты знаешь обо мне, бот?", "что ты знаешь обо мне?"),
        ("Good morning! Bot, remember that I like tea", "remember that I like tea"),
        ("I hate mushrooms bot, dont forget it!", "I hate mushrooms\ndont forget it!"),
        ("im allergic to nuts Bot, remember that", "im allergic to nuts\nremember that"),
        ("im a nurse bot remember that", "im a nurse\nremember that"),
        ("я ненавижу грибы бот запомни это", "я ненавижу грибы\nзапомни это"),
        ("у меня др 5 мая, бот запомни", "у меня др 5 мая\nзапомни"),
        ("im vegan bot pls remember that", "im vegan\npls remember that"),
        ("whats my birthday bot", "whats my birthday"),
        ("whats my birthday, bot", "whats my birthday"),
        ("when is annas birthday bot ty", "when is annas birthday ty"),
        ("where does tom live bot?", "where does tom live?"),
        ("do you know my name bot", "do you know my name"),
        ("где я живу бот", "где я живу"),
        ("как зовут моего кота бот", "как зовут моего кота"),
        ("remember im vegan bot ok thx", "remember im vegan ok thx"),
        ("hey there bot whats toms birthday", "whats toms birthday"),
        ("bot is tom vegan", "is tom vegan"),
        ("bot anyone from germany here?", "anyone from germany here?"),
        ("hello there bot", "hello there"),
        ("thanks a lot bot", "thanks a lot"),
        ("remember im vegan keepsake please", "remember im vegan please"),
        ("remember im vegan keepsake :)", "remember im vegan :)"),
        ("запомни что я веган бот пж", "запомни что я веган пж"),
        ("tell me about tom bot thanks", "tell me about tom thanks"),
        ("hiii bot remember im vegan", "remember im vegan"),
        ("lol bot remember im vegan", "remember im vegan"),
        ("sorry bot remember im vegan", "remember im vegan"),
        ("um bot can u remember im vegan", "can u remember im vegan"),
        ("oh and bot remember im vegan", "remember im vegan"),
        ("хей бот запомни я веган", "запомни я веган"),
        ("yo bot save this my friend code is 88231", "save this my friend code is 88231"),
        ("no bot its leeds not leicester", "no its leeds not leicester"),
        ("beans it is. Bot, remember that I like beans", "remember that I like beans"),
        ("lol\nbot - what do u know abt me", "what do u know abt me"),
        ("remember that I hate olives bot", "remember that I hate olives"),
        ("tell me about bob bot", "tell me about bob"),
        ("bot - remember i hate olives", "remember i hate olives"),
        ("🤖 bot remember i hate olives", "remember i hate olives"),
        ("I hate olives, bot remember that", "I hate olives\nremember that"),
        ("Bot, remember I like tea. Bot, forget me", "remember I like tea.\nforget me"),
        ("no, Thursday, bot", "no, Thursday"),
        ("Уважаемый бот, запомните, что я вегетарианка", "запомните, что я вегетарианка"),
        ("bot vergiss alles", "vergiss alles"),
        ("bot does bob like ramen", "does bob like ramen"),
        ("bot was weißt du über mich?", "was weißt du über mich?"),
        ("bot rappelle toi que j'habite à Lyon", "rappelle toi que j'habite à Lyon"),
        ("bot update: im 31 now", "update: im 31 now"),
        ("no bot i meant Anna", "no i meant Anna"),
        ("bot thats wrong i live in York", "thats wrong i live in York"),
        ("bot thats wrong i dont hate olives", "thats wrong i dont hate olives"),
        ("bot ur wrong about me i dont have a dog anymore", "ur wrong about me i dont have a dog anymore"),
        ("no thats not right i live in Bergen bot", "no thats not right i live in Bergen"),
        ("No, that isn't true, I live in Bergen, Bot", "No, that isn't true, I live in Bergen"),
        ("это неправда, я живу в Туле, бот", "это неправда, я живу в Туле"),
        ("запомни бот, Олег любит рыбу", "запомни Олег любит рыбу"),
        ("Bot remember me?", "remember me?"),
        ("hello bot!", "hello"),
        ("спасибо, бот", "спасибо"),
        ("Bot?", ""),
        ("remember, bot, that I like tea", "remember that I like tea"),
        ("remember bot: kim owes me 20 bucks", "remember: kim owes me 20 bucks"),
        ("remember, bot, kim owes me 20 bucks", "remember: kim owes me 20 bucks"),
        ("запомни, бот, Олег любит рыбу", "запомни: Олег любит рыбу"),
        ("yo bot keep in mind im vegan", "keep in mind im vegan"),
        ("bot u remember what i like?", "u remember what i like?"),
        ("bot you ok?", "you ok?"),
        ("hey bot how r u", "how r u"),
        ("bot wyd", "wyd"),
        ("запомни бот что я живу в Туле", "запомни что я живу в Туле"),
        ("bot my birthday is july 4th remember that", "my birthday is july 4th remember that"),
        ("bot my bday is 3 march dont forget", "my bday is 3 march dont forget"),
        ("бот ты запомни что я веган", "ты запомни что я веган"),
        ("бот запоминай: я веган", "запоминай: я веган"),
        ("bot tell me where i live", "tell me where i live"),
        ("bot tell me what max likes", "tell me what max likes"),
    ],
)
def test_a_name_beside_a_command_or_question_addresses_the_bot(message: str, text: str) -> None:
    assert said(message) == text


@pytest.mark.parametrize(
    "message",
    [
        "Bot lane is feeding again",
        "you're wrong i main bot",
        "that's wrong i love my bot",
        "lol thats wrong bot",
        "Bot lane, not top",
        "Bot lane or mid?",
        "Bottle, anyone?",
        "Bot or not?",
        "Bot is broken?",
        "Bot remember when we met",
        "Bot forget it",
        "Bot",
        "Bot's lane, fine",
        "bot-lane, fine",
        "@bot.lane hi",
        "I told Bot, that I like tea",
        "the bot, how are you?",
        "who plays top, mid, bot?",
        "what's the best bot?",
        "remember when the bot broke",
        "Бот или нет?",
        "Боты, кто тут?",
        "Бот опять сломался",
        "я помню, как бот сломался",
        "<@6>, remember this",
        "remember that Rex is a bot",
        "remember when the bot died, bot",
        "that was fun, bot lane was great",
        "I love you bot",
        "remember bot lane is weak",
        "my main is bot remember that",
        "im going bot remember that",
        "top gap bot remember this",
        "мы слили бот запомни",
        "forget bot, gank top",
        "bot no flash",
        "bot im dead",
        "bot i made is broken",
        "bot no im top",
        "nah bot im good",
        "bot wait i'm coming",
        "bot actually works now",
        "забудь бот, проехали",
        "so bot",
        "whats the best bot",
        "whats my main bot",
        "what do i play bot",
        "do i have bot",
        "when is my turn to play bot",
        "who plays valorant bot",
        "where did you get that bot",
        "how old is your bot",
        "where is our trivia bot",
        "who wants top, bot",
        "где живет бот",
        "у кого бот",
        "||Bot, remember that I hate olives||",
        "",
    ],
)
def test_talk_about_the_bot_is_not_talk_to_it(message: str) -> None:
    assert said(message) is None


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("<@5>", ""),
        ("<@5>?", ""),
        ("<@5> lane is feeding again", "lane is feeding again"),
        ("<@!5>, remember that X is Y", "remember that X is Y"),
        ("hey <@5>, how are you", "how are you"),
        ("hello <@5>!", "hello!"),
        ("how are you <@5>?", "how are you?"),
        ("<@5> Bot, hello", "hello"),
        ("what do you know about <@5>?", "what do you know about <@5>?"),
        ("is <@5> here", "is <@5> here"),
    ],
)
def test_a_mention_addresses_the_bot_and_goes_unless_the_sentence_needs_it(message: str, text: str) -> None:
    assert said(message) == text


def test_a_reply_and_a_direct_message_are_always_to_the_bot() -> None:
    for answered in ({"replies_to_bot": True}, {"direct": True}):
        assert said("no, it's Tuesday", **answered) == "no, it's Tuesday"
        assert said("Bot, hello", **answered) == "hello"
        assert said("Bot lane is feeding again", **answered) == "Bot lane is feeding again"
        assert said("", **answered) == ""


def test_names_full_of_signs_and_no_names_at_all_are_taken_as_they_are() -> None:
    odd = addressed(r"\o/, hello", names=[r"\o/", "(bot"], bot_id=5, replies_to_bot=False, direct=False)
    assert odd is not None
    assert odd.text == "hello"
    assert addressed("Bot, hello", names=["", " "], bot_id=5, replies_to_bot=False, direct=False) is None


words = st.lists(
    st.sampled_from(
        "lane bot remember forget is was again our team feeding бот помню опять забыл the top".split()
    ),
    min_size=1,
    max_size=6,
).map(" ".join)


@given(
    st.sampled_from(["lane", "lanes", "side", "players", "опять", "снова", "is", "was", "сломался"]), words
)
def test_a_name_at_the_start_of_plain_talk_addresses_nobody(second: str, rest: str) -> None:
    assert said(f"Bot {second} {rest}") is None


@given(st.text(), st.lists(st.text(max_size=8), max_size=4), st.booleans(), st.booleans())
def test_no_text_and_no_name_breaks_it(
    text: str, names: list[str], replies_to_bot: bool, direct: bool
) -> None:
    found = addressed(text, names=names, bot_id=BOT_ID, replies_to_bot=replies_to_bot, direct=direct)
    assert found is not None or not (replies_to_bot or direct)


@given(st.text(alphabet="abc xyz где", min_size=1))
def test_what_is_said_after_the_name_arrives_unchanged(text: str) -> None:
    assert said(f"Bot, {text}") == text.strip()


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("bot actually im 5'11", "actually im 5'11"),
        ("bot my dogs name is max now", "my dogs name is max now"),
        ("bot i moved to leeds last month", "i moved to leeds last month"),
        ("bot i no longer live in cork", "i no longer live in cork"),
        ("бот я переехал в самару", "я переехал в самару"),
        ("Bot don't remember anything in this channel", "don't remember anything in this channel"),
    ],
)
def test_who_tells_of_themselves_behind_the_name_needs_no_comma(message: str, text: str) -> None:
    assert said(message) == text


@pytest.mark.parametrize(
    "message",
    [
        "bot accounts are annoying",
        "bot lane is my favorite role",
        "bot farming is my favorite hobby",
        "bot games are my thing",
        "bot made my day",
        "бот сломался в самаре",
    ],
)
def test_what_bots_do_and_are_is_not_said_to_the_bot(message: str) -> None:
    assert said(message) is None
