"""A model is asked what a message wants only where its answer could come to more than a reply."""

from typing import Final

import pytest

from bot.chat.addressed import addressed
from bot.chat.intents import may_be_order, may_correct_last_write
from bot.text.orders import Order, orders
from tests.chat.router_cases import ASKED, CASES, NO_COMMANDS, Case
from tests.chat.routing_scene import BEFORE as SAID_BEFORE
from tests.chat.routing_scene import BOT_ID, WHO, turn_of
from tests.understanding.judging import DATA, read_cases
from tests.understanding.talk import friends, help_channels

ORDERS: Final = """
remember, tomorrow is my last day at work
could you please make a note that the door code changes on Monday
pls dont forget that i hate mondays
I want you to remember something: my cat is called Miso
quick note for your memory - Anna prefers the window seat
btw, save this: the raid starts at nine
can u write down that im free on sunday
let's record that Tom won the bet
please delete what you know about my job
hey, erase the bit about Tom's exam
drop that fact about my sister
never mind what I said about the trip, forget it
no, it was Oslo
that's wrong, I have two sons
correction: the meeting is at five
please fix that, my name is spelt with a k
merk dir, dass mein Hund Bello heißt
Bitte merke dir: am Freitag ist Training
speichere doch mal, dass ich nachts arbeite
schreib dir auf, dass Tim Geburtstag hat
könntest du dir notieren, dass wir um acht essen?
vergiss, was ich über Tim gesagt habe
Lösche bitte den Eintrag über meine Schwester
nein, er heißt Timo
recuerda que mi hermana vive en Lima
anota porfa que el partido es el domingo
no olvides que soy alérgica al polen
¿puedes guardar que mi talla es la 38?
olvida lo de mi trabajo
borra lo que dije de Marta
no, es en abril
souviens-toi que je travaille de nuit
peux-tu noter que Julie arrive demain ?
enregistre que mon anniversaire est le 3 mai
oublie ce que j'ai dit sur Julie
efface mon adresse
non, c'est à Nantes
zapamiętaj, że mam psa
zapisz sobie, że Kasia wyjeżdża w piątek
nie zapomnij, że jestem uczulona na orzechy
zapomnij o mojej pracy
usuń mój adres
nie, to był Gdańsk
ricordati che sono celiaca
segna che la cena è venerdì
dimentica quello che ho detto di Luca
lembra que eu moro em Braga
anota aí que a festa é sábado
esquece o que eu disse da Rita
запиши-ка, что у Светы новый номер
запомни: я больше не работаю в банке
ты запомни главное, у меня аллергия на мёд
занеси в память, что Олег уехал
сотри всё про мою бывшую
забудь про мой переезд
нет, это был Олег
неправда, я живу в Туле
Бот, это неправда, я живу в Туле
запам'ятай, що я працюю вночі
забудь про мою роботу
onthoud dat ik vegetariër ben
vergeet wat ik over Jan zei
unutma, benim doğum günüm mayısta
kom ihåg att jag är vegan
spara det här: mötet är på tisdag
jegyezd meg, hogy utálom az olajbogyót
muista että olen allerginen pähkinöille
pamatuj si, že nemám rád olivy
memento: nu mănânc carne
θυμήσου ότι δεν τρώω κρέας
זכור שאני לא אוכל בשר
تذكر أنني لا آكل اللحم
私は犬が好きだと覚えておいて
记住我不吃肉
ingat bahwa saya alergi kacang
""".strip().splitlines()
"""Nobody's words but those of somebody who orders something, each in the way of its language."""

TALK: Final = """
hello
hi there, how was your day?
good morning everyone
good night bot
what's up
lol
haha that's hilarious
nice one
I'm so tired today
I had ramen for lunch and it was great
my boss called me again, sorry for the rant
we should meet on Saturday
I actually like the rain
he said he would come
I'll call you tomorrow
I keep losing my keys
sorry I'm late
what should I cook tonight?
which of us is the tallest?
tell me a joke about cats
who was the first king of Norway?
recommend me a film
translate "good evening" into Spanish
help me with my homework
ramen or udon?
give me three names for a hamster
what did we decide about Saturday?
when is my exam?
what does Anna like to eat?
are you a robot?
do you dream?
sing me a song
why is the sky blue
is it going to rain tomorrow
I can't sleep
my sister got married last week!
explain recursion to me like I'm five
roll a die
you're funny
I don't agree with you at all
the update broke my computer again
I lost my notes in the train
how do I delete a branch in git?
hallo, wie geht's?
guten Morgen zusammen
ich bin heute total müde
was soll ich heute kochen?
wer hat gestern gewonnen?
erzähl mir einen Witz
ich war gestern im Kino, war super
hola, ¿qué tal?
buenos días a todos
estoy cansada de tanto trabajar
¿qué hago de cena?
cuéntame un chiste
me encanta la lluvia
salut, ça va ?
bonjour tout le monde
je suis crevé aujourd'hui
qu'est-ce que je cuisine ce soir ?
raconte-moi une blague
cześć, co słychać?
jestem dziś strasznie zmęczona
co mam ugotować na obiad?
opowiedz mi dowcip
привет
доброе утро всем
как дела?
я сегодня так устала
что приготовить на ужин?
расскажи анекдот
вчера были в кино, отличный фильм
кто выиграл вчера?
мне нравится дождь
когда у меня экзамен?
привіт, як справи?
я сьогодні дуже втомилася
ciao, come stai?
sono stanca morta oggi
que filme você recomenda?
""".strip().splitlines()
"""What people say to a bot that wants an answer, and nothing written."""

BOT_NAMES: Final = ("Bot", "Бот")
WRITES: Final = ("remember", "forget", "correct")


def reaches_router(case: Case) -> bool:
    replied_to = next(
        (one for one in SAID_BEFORE if case.reply_to and one.user_id == WHO[case.reply_to].user_id), None
    )
    turn = turn_of(case.text, replied_to=replied_to)
    # What the grammar is sure of goes to no model at all.
    return turn.command is not None or may_be_order(turn)


def asks_router(text: str) -> bool:
    turn = turn_of(text)
    return turn.command is None and may_be_order(turn)


@pytest.mark.parametrize("case", [case for case in CASES if case.kind in WRITES], ids=str)
def test_no_command_of_the_table_is_kept_from_the_router(case: Case) -> None:
    assert reaches_router(case)


@pytest.mark.parametrize("text", ORDERS)
def test_no_order_is_kept_from_the_router_whatever_its_language(text: str) -> None:
    turn = turn_of(text)
    assert turn.parts or may_be_order(turn)


def test_of_talk_that_no_write_could_be_grounded_in_nearly_all_is_answered_at_once() -> None:
    asked = [text for text in TALK if asks_router(text)]
    assert len(asked) <= 0.05 * len(TALK), asked


def test_of_what_is_no_command_only_thanks_and_lists_are_put_to_the_router() -> None:
    asked = [case for case in (*NO_COMMANDS, *ASKED) if asks_router(case.text)]
    assert {case.kind for case in asked} <= {"none", "ask_memory"}
    assert len(asked) <= 8


@pytest.mark.skipif(not DATA.is_file(), reason=f"{DATA} is not here: nothing to measure with")
def test_what_people_tell_each_other_is_seldom_put_to_the_router() -> None:
    for talk, most in ((friends(), 0.03), (help_channels(), 0.13)):
        asked = sum(asks_router(said.text) for said in talk)
        print(f"{asked} of {len(talk)}")
        assert asked <= most * len(talk)


@pytest.mark.skipif(not DATA.is_file(), reason=f"{DATA} is not here: nothing to measure with")
def test_no_sentence_that_people_type_to_have_it_stored_is_kept_from_grammar_and_router() -> None:
    lost = []
    for case, check in read_cases():
        said = addressed(case.text, names=BOT_NAMES, bot_id=BOT_ID, replies_to_bot=False, direct=False)
        if said is None or not check.facts:
            continue
        turn = turn_of(said.text)
        ordered = any(orders(said.text, order) for order in Order)
        if ordered and not (turn.parts or may_be_order(turn) or may_correct_last_write(turn)):
            lost.append(case.text)
    assert lost == []
