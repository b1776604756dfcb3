"""Questions are recognised by their form, however carelessly they are typed, and talk is not."""

import pytest

from bot.text.commands import AskFact, AskMemory, QuestionForm, Search
from bot.text.questions import question_of

WHEN, WHERE, WHO, WHAT = QuestionForm.WHEN, QuestionForm.WHERE, QuestionForm.WHO, QuestionForm.WHAT


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("when is Anna's birthday?", AskFact(WHEN, "Anna's birthday")),
        ("whens annas bday", AskFact(WHEN, "annas birthday")),
        ("so, can you tell me when Anna's birthday is?", AskFact(WHEN, "Anna's birthday is")),
        ("what's the raid time?", AskFact(WHEN, "the raid")),
        ("do u know where bob lives?", AskFact(WHERE, "bob lives")),
        ("what's my favourite food?", AskFact(WHAT, "my favorite food")),
        ("what does bob do for a living?", AskFact(WHAT, "bob", "work")),
        ("who here likes ramen?", AskFact(WHO, "likes ramen")),
        ("does any1 here like ramen?", AskFact(WHO, "like ramen")),
        ("how old is Anna", AskFact(QuestionForm.HOW_OLD, "Anna", "age")),
        ("does bob play chess", AskFact(QuestionForm.WHETHER, "bob play chess")),
        ("is bob vegan", AskFact(QuestionForm.WHETHER, "bob vegan")),
        ("am i allergic to nuts", AskFact(QuestionForm.WHETHER, "i allergic to nuts")),
        ("where bob lives", AskFact(WHERE, "bob lives")),
        ("how old bob is", AskFact(QuestionForm.HOW_OLD, "bob", "age")),
        ("when bobs bday", AskFact(WHEN, "bobs birthday")),
        ("who play chess", AskFact(WHO, "play chess")),
        ("anyone here play chess?", AskFact(WHO, "play chess")),
        ("anyone from germany?", AskFact(WHO, "from germany")),
        ("bobs pronouns?", AskFact(WHAT, "bobs pronouns")),
        ("is always single", None),
        ("where bob lives is nice", None),
        ("anyone?", None),
        ("anyone know how to use this?", None),
        ("did you forget that I like pizza?", AskFact(QuestionForm.WHETHER, "I like pizza")),
        ("where are you from?", None),
        ("what should I eat?", None),
        ("is broken?", None),
        ("is so slow today", None),
        ("remember when we met", None),
        ("what's up?", None),
        ("do you remember Anna?", AskMemory("Anna")),
        ("what did bob say about olives?", Search("bob olives")),
        ("what did i tell you about the raid?", Search("the raid")),
        ("tell me bobs hobbies", AskFact(WHAT, "bobs hobbies")),
        ("tell me where i live", AskFact(WHERE, "i live")),
        ("tell me what max likes", AskFact(WHAT, "max likes")),
        ("tell us when Anna's birthday is", AskFact(WHEN, "Anna's birthday is")),
        ("tell me what to do", None),
        ("tell me what happened", None),
        ("tell me when you're done", None),
        ("tell me that max is here", None),
        ("что Петя говорил про рейд?", Search("Петя рейд")),
        ("Дима женат?", AskFact(QuestionForm.WHETHER, "Дима женат")),
        ("list everything you know about me", AskMemory("me")),
        ("what did i ask u to remember", AskMemory("i")),
        ("what pets do i have", AskFact(WHAT, "i have pets")),
        ("где живёт Аня?", AskFact(WHERE, "живет Аня")),
        ("когда у Ани др", AskFact(WHEN, "у Ани день рождения")),
        ("у Ани когда др", AskFact(WHEN, "у Ани день рождения")),
        ("др Ани когда", AskFact(WHEN, "день рождения Ани")),
        ("есть кто из Москвы", AskFact(WHO, "из Москвы")),
        ("есть ли у Ани дети", AskFact(QuestionForm.WHETHER, "у Ани дети")),
        ("женат ли Дима", AskFact(QuestionForm.WHETHER, "женат Дима")),
        ("у кого есть кот?", AskFact(WHO, "кот")),
        ("че любит Петя", AskFact(WHAT, "любит Петя")),
        ("Петя любит рамен?", AskFact(QuestionForm.WHETHER, "Петя любит рамен")),
        ("как зовут кота Маши?", AskFact(WHAT, "кота Маши", "name")),
        ("сколько лет Ане?", AskFact(QuestionForm.HOW_OLD, "Ане", "age")),
        ("помнишь меня?", AskMemory("меня")),
        ("как дела?", None),
        ("что нового?", None),
    ],
)
def test_a_question_is_read(text: str, asked: AskFact | AskMemory | Search | None) -> None:
    assert question_of(text) == asked
