"""What was remembered is found by asking for it, in every form and both languages, and by nobody who may not."""

from datetime import timedelta

import pytest

from tests.chat.guild import MODS, TalkingGuild

OTHER = {"alice": "bob", "Маша": "Паша"}
TOLD = [
    # Who tells it, the statement, questions of the teller, questions of somebody else, and what is in the answers.
    ("alice", "my birthday is on 4 July", ["when is my birthday?", "my bday?"],
     ["when is alice's birthday?", "whens alices bday?", "when's alice's b-day", "do you know when alice was born?"],
     "4 July"),
    ("alice", "my favourite food is lasagna", ["what's my favourite food?", "whats my fav food"],
     ["what is alice's favorite food?", "tell me what alice's favourite food is?"], "lasagna"),
    ("alice", "I like ramen", ["do I like ramen?", "what do I like?"],
     ["what does alice like?", "who likes ramen?", "does anyone here like ramen?", "does alice like ramen?"], "ramen"),
    ("alice", "I hate olives", ["do I like olives?", "what do I hate?"],
     ["who hates olives?", "does alice like olives?", "what does alice hate?", "who doesn't like olives?"], "olives"),
    ("alice", "I live in York", ["where do I live?"],
     ["where does alice live?", "who lives in York?", "do you know where alice lives?"], "York"),
    ("alice", "I work as a nurse", ["what's my job?"],
     ["what does alice do?", "what's alice's job?", "who works as a nurse?", "what does alice do for a living?"],
     "nurse"),
    ("alice", "I work at IKEA", ["where do I work?"], ["where does alice work?", "who works at ikea?"], "IKEA"),
    ("alice", "I study biology", ["what do I study?"], ["what does alice study?", "who studies biology?"], "biology"),
    ("alice", "I play chess", ["do I play chess?"],
     ["who here plays chess?", "does alice play chess?", "what games does alice play?", "does alice have any hobbies?"],
     "chess"),
    ("alice", "I have a cat named Tofu", ["what's my cat called?", "do I have a cat?"],
     ["who has a cat?", "does alice have a cat?", "what is the name of alice's cat?", "what pets does alice have?"],
     "Tofu"),
    ("alice", "I speak Dutch", ["what languages do I speak?"],
     ["who speaks Dutch?", "what languages does alice speak?", "does alice speak dutch"], "Dutch"),
    ("alice", "I play the piano", ["what instrument do i play"], ["what instrument does alice play?"], "piano"),
    ("alice", "im alergic to nuts", ["what am I allergic to?", "am i alergic to nuts?"],
     ["what is alice allergic to?", "who is allergic to nuts?", "does alice have any allergies?"], "nuts"),
    ("alice", "my brother is called Tom", ["what's my brother called?"], ["who is alice's brother?"], "Tom"),
    ("alice", "I am married to Lou", ["who am I married to?"], ["who is alice married to"], "Lou"),
    ("alice", "I am from Portugal", ["where am I from?"], ["where is alice from?", "who is from Portugal?"],
     "Portugal"),
    ("alice", "my pronouns are they/them", ["what are my pronouns?"], ["what are alice's pronouns?"], "they/them"),
    ("alice", "I am 31 years old", ["how old am I?"], ["how old is alice?", "what's alice's age?"], "31"),
    ("alice", "my sister's birthday is on 9 May", ["when is my sister's birthday?"],
     ["when is alice's sister's birthday?"], "9 May"),
    ("alice", "the raid is on Friday at 8pm", ["when is the raid?", "what time does the raid start"],
     ["what's the raid time?", "when's the raid"], "8pm"),
    ("alice", "the wifi password hint is on the fridge", ["where is the wifi password hint?"],
     ["where's the wifi password hint?"], "fridge"),
    ("alice", "I taught the cello to Max", ["did I teach the cello?"],
     ["who teaches the cello?", "who taught the cello?", "did alice teach the cello?"], "cello"),
    ("Маша", "я везла черепаху из Перми", ["кто везёт черепаху?"], ["кто везёт черепаху?", "кто вёз черепаху?"],
     "черепаху"),
    ("Маша", "у меня алергия на орехи", ["на что у меня аллергия?"], ["у кого аллергия на орехи?"], "орехи"),
    ("Маша", "мой день рождения 4 июля", ["когда у меня день рождения?", "когда мой др?"],
     ["когда день рождения у Маши?", "когда у Маши др", "когда родилась Маша?"], "4 июля"),
    ("Маша", "моя любимая еда — лазанья", ["какая у меня любимая еда?"], ["какая у Маши любимая еда?"], "лазанья"),
    ("Маша", "я люблю рамен", ["что я люблю?", "люблю ли я рамен?"],
     ["что любит Маша?", "кто любит рамен?", "Маша любит рамен?", "кто-нибудь любит рамен?"], "рамен"),
    ("Маша", "я живу в Казани", ["где я живу?"],
     ["где живёт Маша?", "кто живет в Казани?", "ты знаешь, где живет Маша?"], "Казани"),
    ("Маша", "я работаю врачом", ["кем я работаю?"], ["кем работает Маша?", "кто работает врачом?"], "врачом"),
    ("Маша", "я играю в шахматы", ["я играю в шахматы?"],
     ["кто тут играет в шахматы?", "во что играет Маша?", "играет ли Маша в шахматы?"], "шахматы"),
    ("Маша", "у меня есть кот Тофу", ["у меня есть кот?"], ["у кого есть кот?", "как зовут кота Маши?"], "Тофу"),
    ("Маша", "у меня аллергия на орехи", ["на что у меня аллергия?"],
     ["на что у Маши аллергия?", "у кого аллергия на орехи?"], "орехи"),
    ("Маша", "рейд в пятницу в 20:00", ["когда рейд?"], ["во сколько рейд?"], "20:00"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("teller", "statement", "own", "others", "answer"), TOLD, ids=[one[1] for one in TOLD]
)
async def test_what_was_remembered_is_found_by_asking(
    guild: TalkingGuild, teller: str, statement: str, own: list[str], others: list[str], answer: str
) -> None:
    english = teller == "alice"
    await guild.say(
        teller, f"Bot, remember that {statement}" if english else f"Бот, запомни, что {statement}"
    )
    name = "Bot" if english else "Бот"
    for asker, asked in [(teller, own), (OTHER[teller], others)]:
        for question in asked:
            told = await guild.say(asker, f"{name}, {question}", after=timedelta(minutes=1))
            assert answer in (told or ""), question


@pytest.mark.parametrize(
    ("statement", "questions"),
    [
        ("my sister's birthday is on 9 May", ["when is alice's birthday?", "when is bob's birthday?"]),
        ("I like ramen", ["does alice like sushi?", "what does alice hate?", "what does bob like?"]),
        ("I like udon", ["who hates udon?", "who likes ramen?", "who has udon?"]),
        ("I live in York", ["where does alice work?", "where does bob live?", "where is alice from?"]),
        ("I have a cat named Tofu", ["what's alice's name?", "does alice have a dog?", "how old is alice?"]),
        ("I'm allergic to peanuts", ["what does alice eat?", "what does alice like?"]),
        ("I'm allergic to eggs", ["what's alice's favourite food?", "who likes eggs?"]),
        ("my favourite restaurant is Nando's", ["what's alice's favourite food?"]),
        ("my birthday is on 4 July", ["how old is alice?", "when is the party?"]),
        ("the raid is in Molten Core", ["when is the raid?", "when is raid night?"]),
        ("my brother plays chess", ["does alice play chess?", "who plays chess?"]),
        ("I don't speak Dutch", ["who speaks Dutch?"]),
    ],
)  # fmt: skip
async def test_what_does_not_fit_is_no_answer(
    guild: TalkingGuild, statement: str, questions: list[str]
) -> None:
    await guild.say("alice", f"Bot, remember that {statement}")
    for question in questions:
        told = await guild.say("florent", f"Bot, {question}")
        assert (told or "").startswith("Nobody has told me"), question


@pytest.mark.parametrize(
    ("teller", "statement", "question", "answer"),
    [
        ("alice", "my sister's wedding is on 12 December", "Bot when is the wedding?", "12 December"),
        ("Маша", "у моей сестры экзамен 3 мая", "Бот, когда экзамен?", "3 мая"),
    ],
)
async def test_what_is_somebodys_is_told_to_who_asks_for_it_by_its_own_name(
    guild: TalkingGuild, teller: str, statement: str, question: str, answer: str
) -> None:
    english = teller == "alice"
    await guild.say(teller, f"Bot, remember {statement}" if english else f"Бот, запомни: {statement}")
    assert answer in (await guild.say(teller, question) or "")


async def test_the_things_of_several_are_no_answer_where_one_is_asked_for(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I have an exam on 3 May")
    await guild.say("bob", "Bot, remember that I have an exam on 4 May")
    told = await guild.say("bob", "Bot, when is the exam?")
    assert "3 May" not in (told or "")


async def test_a_day_is_no_place(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that the wedding is on 12 December")
    assert (await guild.say("bob", "Bot, where is the wedding?") or "").startswith("Nobody has told me")
    assert "12 December" in (await guild.say("bob", "Bot, when is the wedding?") or "")


async def test_what_was_said_once_is_told_back_as_it_was_said(guild: TalkingGuild) -> None:
    await guild.say("alice", "my favourite movie is Alien")
    assert await guild.say("alice", "Bot, what's my favourite film?", after=timedelta(days=1)) == (
        "You said on 1 March: “my favourite movie is Alien”"
    )
    assert await guild.say("bob", "Bot, what is alice's favourite movie?") == (
        "alice's favourite movie is Alien (alice said so on 1 March)."
    )


async def test_what_was_said_in_a_closed_room_answers_there_alone(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I live in York", channel_id=MODS)
    assert "York" in (await guild.say("bob", "Bot, where does alice live?", channel_id=MODS) or "")
    for question in ("where does alice live?", "who lives in York?", "does alice live in York?"):
        assert "said so" not in (await guild.say("bob", f"Bot, {question}") or "")


async def test_of_a_private_member_nothing_is_answered(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like ramen")
    await guild.say("alice", "Bot, keep me private")
    assert (
        await guild.say("bob", "Bot, what does alice like?")
        == "What I know about alice is for themselves alone."
    )
    assert (await guild.say("bob", "Bot, who likes ramen?") or "").startswith("Nobody has told me that yet.")
    assert "ramen" in (await guild.say("alice", "Bot, what do I like?") or "")


async def test_what_was_learned_and_is_sensitive_is_told_to_its_subject_alone(guild: TalkingGuild) -> None:
    await guild.say("alice", "I hate my boss and I am so sad today")
    await guild.say("alice", "I love whisky")
    for question in (
        "who loves whisky?",
        "what does alice like?",
        "does alice like whisky?",
        "is alice sad?",
    ):
        assert (await guild.say("bob", f"Bot, {question}") or "").startswith("Nobody has told me"), question
    assert "whisky" in (await guild.say("alice", "Bot, what do I like?") or "")


SENSITIVE = [
    ("Bot, remember that I earn 5000 euros a month", ["how much does alice earn?", "who earns 5000 euros?"], "5000"),
    ("Bot, remember that I have depression", ["does alice have depression?", "who has depression?"], "depression"),
    ("Bot, remember that I vote for the greens", ["who does alice vote for?", "who votes for the greens?"], "greens"),
    ("Bot, remember that I am gay", ["is alice gay?", "who is gay here?"], "gay"),
    ("Bot, remember that I love Bob's brother", ["who loves bob's brother?", "what does alice love?"], "brother"),
    ("I live in Oslo", ["where does alice live?", "who lives in Oslo?"], "Oslo"),
    ("I hate Bob", ["who hates bob?", "does alice like bob?", "what does alice hate?"], "hates"),
    ("I feel lonely", ["is alice lonely?", "how is alice feeling?", "who feels lonely?"], "lonely"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "questions", "matter"), SENSITIVE, ids=[one[0] for one in SENSITIVE])
async def test_others_are_told_no_more_than_what_is_known_about_somebody_tells_them(
    guild: TalkingGuild, said: str, questions: list[str], matter: str
) -> None:
    await guild.say("alice", said)
    listed = await guild.say("bob", "Bot, what do you know about alice?") or ""
    told = [await guild.say("bob", f"Bot, {question}") or "" for question in questions]
    is_listed = matter in listed.partition("\nalice has written")[0]
    assert is_listed or not any("said so" in one or matter in one for one in told), told


async def test_what_is_known_about_a_thing_of_somebodys_is_of_nobody_else(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my job is teaching")
    await guild.say("bob", "Bot, remember that I like tea")
    assert "teaching" in (await guild.say("bob", "Bot, what do you know about alice's job?") or "")
    assert await guild.say("bob", "Bot, what do you know about my job?") == (
        "You have not told me that yet. Say “Bot, remember that …” and I will know it."
    )


async def test_several_are_asked_about_at_once(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like ramen")
    await guild.say("bob", "Bot, remember that I like udon")
    for question in ("what do you know about alice and bob?", "what do alice and bob like?"):
        told = await guild.say("florent", f"Bot, {question}")
        assert "alice likes ramen" in (told or "") and "bob likes udon" in (told or ""), question


async def test_whose_birthday_comes_next_is_counted_from_today(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 4 July")
    await guild.say("bob", "Bot, remember that my birthday is on 10 February")
    await guild.say("florent", "Bot, remember that my birthday is on 9 May")
    assert "9 May" in (await guild.say("bob", "Bot, whose birthday is next?") or "")


async def test_a_topic_is_no_person(guild: TalkingGuild) -> None:
    for question in ("tell me about the Roman Empire", "what do you know about the moon?"):
        assert (await guild.say("bob", f"Bot, {question}") or "").startswith("I know nothing about “the"), (
            question
        )


async def test_the_name_of_who_asks_is_known_without_a_fact(guild: TalkingGuild) -> None:
    assert await guild.say("alice", "Bot, what's my name?") == "You are called alice here."
    assert await guild.say("Маша", "Бот, как меня зовут?") == "Ваше имя здесь: Маша."


async def test_messages_answer_where_no_fact_does_and_speak_of_nobody(guild: TalkingGuild) -> None:
    await guild.say("florent", "the cinema evening starts on Friday at 19:30")
    await guild.say("florent", "I keep seven llamas in the garden")
    told = await guild.say("alice", "Bot, when does the cinema evening start?")
    assert told == "florent wrote on 1 March: “the cinema evening starts on Friday at 19:30”"
    assert (await guild.say("alice", "Bot, who keeps llamas?") or "").startswith(
        "Nobody has told me that yet."
    )
