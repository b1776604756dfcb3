"""Words that say nothing of what a question is about: small talk, and the frame of a question about talk."""

import re
from typing import Final

from bot.memory.tokens import words

CHATTER: Final = words(
    """lol lmao rofl haha hahaha heh hehe hey hi hello hiya yo sup morning evening night bye cya ok okay okey k kk
    yeah yep yes yup nah nope no nice cool great good awesome amazing wow omg wtf damn thanks thank thx ty
    tysm please pls sorry np welcome sure right exactly true indeed hmm hm uh um oh ah well anyway btw gg brb
    afk fine lovely sweet agreed same really totally absolutely bro dude man guys guy folks everyone everybody
    friend buddy going doing today привет приветик здравствуй здравствуйте здорово хай ку добрый доброе утро
    вечер ночи пока спасибо спс пожалуйста пж плиз да ага угу нет неа ок окей ладно хорошо норм нормально
    нормас круто класс супер отлично прикольно лол ахах ахаха хаха хахаха хах ржу блин ого ничего себе вау
    извини извините прости точно конечно согласен согласна ясно понятно понял поняла дела как там чё че чо что
    ну вот короче кстати всем ребята ребят народ друзья чувак бро"""
)
"""What people say to one another without telling anything. Left out of a question, so that none of it is searched."""

LIGHT: Final = words(
    """see seen saw think thinks thought thoughts know knew hear heard feel feeling feels felt want wants wanted need
    needs like likes love loves loved hate hates let's lets let go goes going gone come comes came get gets
    got give take make makes made do does did done help helps try tell say ask asks use work works thing
    things stuff lot lots bit kind sort time times day days week today tomorrow yesterday tonight now later
    soon again still ever never always often much many more most less little big small old new long short best
    better bad worst happy sad bored tired hungry funny fun joke jokes story weather life people person
    someone somebody something anything nothing everything one two first last next same different way idea
    question questions answer answers reason point mind matter problem sense luck beautiful interesting
    possible ready back here there home name names mean means start stop wait call talk chat play write read
    look looks looking find found keep put leave believe guess hope wish care understand remember forget agree
    disagree bot human model language program code poem song list explain translate sing draw вижу видел думаю
    думаешь думает думают знаю знать знает слышал чувствую хочу хочешь хочет надо нужно нужен люблю любишь
    любит нравится ненавижу пойдем пошли пойду иду идти давай давайте делаю делаешь делать сделать помоги
    помочь помощь помогите попробуй вещь штука немного много мало время день дни сегодня завтра вчера сейчас
    потом скоро опять снова всегда никогда часто больше меньше большой маленький старый новый лучший хороший
    плохой грустно весело скучно устал устала голоден шутка шутку анекдот история погода жизнь люди человек
    кто-то что-то ничего всё все один раз причина смысл проблема вопрос ответ красиво интересно готов готова
    здесь там дом дома значит начать хватит подожди жди поговорим играть написать читать смотри верю надеюсь
    понимаю забудь согласны согласна бот стих стихотворение песню список объясни переведи зовут"""
)
"""Words that everybody says about anything: a question of these alone, or of these and a name, is about nothing that
could be told unasked. They are searched like others, and are no reason to be sure of what is found."""

FRAME: Final = words(
    """tell remind remember recall know find search show look say said says saying speak spoke talk talked talking
    mention mentioned discuss discussed chat chatted write wrote written message messages told ask asked last
    first time ever about did when who what where which how why скажи напомни вспомни помнишь помните знаешь
    знаете найди поищи покажи говорил говорила говорили говорим сказал сказала сказали упоминал упоминала
    упоминали обсуждал обсуждала обсуждали писал писала писали написал написала написали рассказывал
    рассказывала рассказывали спрашивал спрашивала спрашивали сообщение сообщения когда кто где какой какая
    какие зачем почему последний последнее первый раз"""
)
"""The frame of a question about what was said; in another question some of these words are its matter."""

_TALK: Final = re.compile(
    r"""\b(?:sa(?:y|ys|id|ying)|speak|spoke|talk(?:s|ed|ing)?|mention(?:s|ed)?|discuss(?:ed|ing)?|chat(?:ted|ting)?
    |wr(?:ite|ote|itten)|told|tell|ask(?:ed)?|message[sd]?|post(?:ed|s)?|argu(?:ed|ing)|decid(?:e|ed)|agreed?|suggest(?:ed)?
    |happen(?:ed)?|miss(?:ed)?
    |(?:по|об|рас|под)?говор\w+|сказа\w+|расска\w+|упомина\w+|упомяну\w+|обсу[жд]\w+|(?:на|о)?писа\w+|спрашива\w+|спросил\w*
    |сообщени\w+|болта\w+|реш(?:ил|али|ение)\w*|договор\w+|предл\w+|был[оа]?)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_QUESTION: Final = re.compile(
    r"""\?\s*\Z | \A\W*(?:what|who|whom|whose|when|where|which|how|why|do|does|did|is|are|was|were
    |has|have|had|can|could|что|кто|кого|кому|когда|где|куда|как\w*|почему|зачем|сколько|чей|чья)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def is_about_talk(text: str) -> bool:
    """Return whether a question is about what was said: then a time in it is that of the messages.

    "What did we say about pizza last week?" is, and so are words to search by ("pizza last week"). "Where did Bob
    travel last week?" is about something that may have been told later.
    """
    return bool(_TALK.search(text)) or not _QUESTION.search(text)
