"""The catalogue of fixed sentences in English and Russian."""

from enum import Enum
from typing import Final

from bot.core.domain import Language


class Catalogue(Enum):
    """Sentences in two languages: English first, then Russian. Each room that speaks has one of its own."""

    _value_: tuple[str, str]


class Text(Catalogue):
    """What the bot can say without a model: English first, then Russian."""

    REMEMBERED = ("Remembered: {content}.", "Записано: {content}.")
    OUTWEIGHED = (
        "Noted: {content}. Until that changes, what holds is: {holds}.",
        "Отмечено: {content}. Но пока в силе другое: {holds}.",
    )
    KNOWN_ALREADY = ("I have that already: {content}.", "Это у меня уже записано: {content}.")
    NOTHING_TO_REMEMBER = (
        "There is nothing here that I could remember. Reply to the message you mean, or say it: "
        "“{bot}, remember that …”.",
        "Здесь нечего запоминать. Ответьте на нужное сообщение или скажите прямо: «{bot}, запомни, что …».",
    )
    EMPTY_FACT = (
        "What should I remember? Say it like this: “{bot}, remember that I like pizza”.",
        "Что мне запомнить? Скажите так: «{bot}, запомни, что я люблю пиццу».",
    )
    SECRET_FACT = (
        "Passwords, keys, and numbers of cards or accounts are never kept, so this was not remembered.",
        "Пароли, ключи, номера карт и счетов не хранятся, поэтому это не записано.",
    )
    FACT_TOO_LONG = (
        "That is {characters} characters long, and one memory holds {allowed} at most, so I stored nothing. "
        "Say it shorter, or in several parts.",
        "Здесь {characters} знаков, а в одну запись помещается не больше {allowed}, поэтому я ничего не "
        "записываю. Скажите короче или по частям.",
    )
    FORGOTTEN = ("Forgotten: I removed {facts}.", "Готово, удалено: {facts}.")
    WORDS_FORGOTTEN = (
        "Forgotten: I removed the text of {messages}.",
        "Готово: удалён текст {messages}.",
    )
    PROFILE_FORGOTTEN = (
        "Forgotten: I removed what I had learned about you.",
        "Готово, удалено всё, что о вас выучено.",
    )
    NOTHING_TO_FORGET = (
        "I found nothing that says that, so there was nothing to forget.",
        "Ничего такого у меня не записано, так что и забывать нечего.",
    )
    SAY_WHICH = (
        "That message told several things. Say which one: “{bot}, forget that …”.",
        "В том сообщении было несколько записей. Скажите, какую убрать: «{bot}, забудь, что …».",
    )
    CONFIRM_EVERYTHING = (
        "That would remove {facts} about {name}. Answer “yes” within 5 minutes and it is done.",
        "Это удалит {facts}: {name}. Ответьте «да» в течение 5 минут, и всё будет убрано.",
    )
    CONFIRM_EVERYTHING_LEARNED = (
        "That would remove {facts} about {name} and all that I have learned of you. Answer “yes” within 5 minutes "
        "and it is done.",
        "Это удалит {facts} ({name}) и всё, что о вас выучено. Ответьте «да» в течение 5 минут, и всё будет убрано.",
    )
    EVERYTHING_COMMAND = ("forget everything about {name}", "забудь всё о {name}")
    KEPT = ("All right, nothing was removed.", "Хорошо, ничего не удалено.")
    CORRECTED = ("Corrected: {content}.", "Исправлено: {content}.")
    TAKEN_BACK = ("Taken back: that is no longer kept.", "Отменено: этого у меня больше нет.")
    WHICH_HOLDS = (
        "By the way, you told me two different things. Which one holds? Answer with its number.",
        "Кстати, здесь записано одно, а сказано было другое. Что верно? Ответьте номером.",
    )
    THIS_HOLDS = ("All right, this holds: {content}.", "Хорошо, верно это: {content}.")
    HOLDS_NO_MORE = (
        "That is not kept any more, so nothing was changed.",
        "Этого больше нет, поэтому ничего не изменено.",
    )
    RESTS_ON = (
        "That rests on this (“forget that …” removes what you want gone):",
        "Вот на чём это основано (лишнее уберёт «забудь, что …»):",
    )
    RESTS_ON_NOTHING = (
        "Nothing that I keep went into that answer, as far as you may see it here.",
        "В том ответе не было ничего из памяти, что здесь можно показать.",
    )
    RESTS_ON_THIS = ("That answer rests on this:", "Тот ответ основан вот на чём:")
    WHY_NO_ANSWER = (
        "That is no answer of mine that I could explain.",
        "Это не мой ответ, объяснять тут нечего.",
    )
    WHY_WHAT = (
        "Reply to the answer of mine that you mean, and ask again.",
        "Ответьте на то моё сообщение, о котором спрашиваете, и повторите вопрос.",
    )
    MISSED = ("What you missed since you last wrote:", "Вот что было с вашего последнего сообщения:")
    MISSED_SINCE = ("What was said since {since}:", "Вот о чём говорили с {since}:")
    MISSED_NOTHING = (
        "Nothing that I can tell here was said since you last wrote. For more, ask “what did I miss since yesterday?”.",
        "С вашего последнего сообщения не было ничего, что здесь можно рассказать. Если нужно больше, спросите: "
        "«что я пропустил со вчера?».",
    )
    MISSED_NOTHING_SINCE = (
        "Nothing that I can tell here was said since {since}.",
        "С {since} не было ничего, что здесь можно рассказать.",
    )
    MISSED_BESIDES = ("… and {messages} besides", "… и ещё {messages}")
    MISSED_IN_PRIVATE = (
        "Here it is only the two of us: ask me that on a server.",
        "Здесь только мы вдвоём: спросите об этом на сервере.",
    )
    FOR_MEMBERS = (
        "What was said I tell to members of this server only, and only where nobody else reads along.",
        "О сказанном рассказываю только участникам сервера и только там, где не читают гости.",
    )
    NO_SUCH_CHANNEL = (
        "There is no channel {channel} that I could tell of here.",
        "Здесь нет канала {channel}, о котором можно рассказать.",
    )
    SAID_BY = ("said by {name}", "со слов: {name}")
    OF_A_TALK = ("from a talk that has ended", "из законченного разговора")
    AND_MORE = ("… and {number} more", "… и ещё {number}")
    HOLDS_AGAIN = ("This holds again: {content}.", "Снова в силе: {content}.")
    NOTHING_TO_CORRECT = (
        "I stored nothing for you here in the last 10 minutes that I could correct. Reply to my confirmation, "
        "or say it anew: “{bot}, remember that …”.",
        "За последние 10 минут по вашей просьбе здесь ничего не записано. Ответьте на моё подтверждение или "
        "скажите заново: «{bot}, запомни, что …».",
    )
    CANNOT_PLACE = (
        "I cannot tell what “{value}” should replace in: {content}. Nothing was changed; say the whole sentence.",
        "Не понимаю, что заменить на «{value}» в записи: {content}. Ничего не изменено; скажите фразу целиком.",
    )
    TAKEN_BACK_BY_EDIT = (
        "You edited that, and it no longer asks me to remember anything, so I took it back.",
        "Сообщение изменено, и запоминать в нём больше нечего, поэтому запись отменена.",
    )
    UNDONE_ALREADY = (
        "That is already undone: it is no longer kept.",
        "Это уже отменено: такой записи больше нет.",
    )
    NOT_FROM_HERE = (
        "That button belongs to another place, so nothing was changed.",
        "Эта кнопка из другого места, поэтому ничего не изменено.",
    )
    CORRECTED_SINCE = (
        "That was corrected since, so there is nothing left to undo here; undo the correction instead.",
        "С тех пор это исправили, отменять здесь больше нечего; отмените исправление.",
    )
    NOT_YOURS_TO_UNDO = (
        "Only who told me that, whom it is about, and moderators can undo it.",
        "Отменить это может только тот, кто это сказал, о ком это сказано, или модератор.",
    )
    OTHERS_BY_MODERATORS = (
        "On this server only moderators can have me remember things about others, so I stored nothing.",
        "На этом сервере просить запомнить что-то о других могут только модераторы, поэтому ничего не записано.",
    )
    OTHERS_BY_THEMSELVES = (
        "On this server everybody can have me remember things about themselves only, so I stored nothing.",
        "На этом сервере просить запомнить что-то можно только о себе, поэтому ничего не записано.",
    )
    NOTHING_OF_VISITORS = (
        "I keep nothing that is said among visitors: say it again where full members of this server talk.",
        "Среди гостей я ничего не записываю: скажите это ещё раз там, где говорят участники сервера.",
    )
    SLOW_DOWN = (
        "That is a lot at once. I am listening, but I will not answer you again until you slow down.",
        "Слишком много сразу. Я слушаю, но снова отвечу, только когда станет поспокойнее.",
    )
    WHICH_MEMBER = (
        "Which one do you mean? Answer with the number.",
        "Кого вы имеете в виду? Ответьте номером.",
    )
    UNKNOWN_NAME = ("I know nobody called {name} here.", "Я не знаю здесь никого по имени {name}.")
    UNKNOWN_NAME_CLOSEST = (
        "I know nobody called {name} here. The closest is {closest}.",
        "Я не знаю здесь никого по имени {name}. Ближе всего — {closest}.",
    )
    ABOUT_THE_BOT = (
        "I keep no memories about myself. Who I am stands in my persona, which this server's managers set.",
        "О себе я ничего не записываю. Кто я, сказано в моём описании, его задают управляющие сервером.",
    )
    KNOWN_ABOUT = ("What I know about {name}:", "Что я знаю ({name}):")
    KNOWN_ABOUT_WORDS = ("What I know about “{words}”:", "Что я знаю о «{words}»:")
    KNOWN_ABOUT_GUILD = ("What I know about this server:", "Что я знаю об этом сервере:")
    LATELY = ("Lately:", "В последнее время:")
    LEARNED = ("What I learned from our talks:", "Что стало понятно из наших разговоров:")
    SAYS = ("{teller} says {content}", "{teller} говорит: {content}")
    WAS_ON = ("{content} (was on {day})", "{content} (это было {day})")
    NOT_CERTAIN = ("{content} (not certain yet)", "{content} (пока не точно)")
    TOLD_TO_NOBODY = (
        "What I know about {name} is for themselves alone.",
        "То, что я знаю, — только для самого участника ({name}).",
    )
    NOTHING_KNOWN = (
        "I have nothing noted about {name} yet.",
        "Пока ничего не записано ({name}).",
    )
    NOTHING_KNOWN_GUILD = (
        "I have nothing noted about this server yet.",
        "Об этом сервере пока ничего не записано.",
    )
    HAS_SAID = (
        "{name} has written {messages} here since {date}.",
        "{name}: {messages} здесь с {date}.",
    )
    THE_LATEST = ("{said} The latest:", "{said} Последнее:")
    TALKED_ABOUT = ("What I found about “{topic}”:", "По запросу «{topic}» нашлось:")
    NEVER_TALKED_ABOUT = (
        "I find nothing about “{topic}” in what I have heard here.",
        "В том, что здесь слышно, ничего о «{topic}» не нашлось.",
    )
    FOUND_FACT = ("noted: {content}", "записано: {content}")
    FOUND_EPISODE = ("a past talk: {content}", "из прошлого разговора: {content}")
    KEPT_SINCE = (
        "What I keep here begins on {date}; I have nothing older.",
        "То, что здесь хранится, начинается с {date}; более раннего нет.",
    )
    EXAMPLES = (
        "Yes? You could say:\n- {bot}, remember that I like pizza\n- {bot}, what do you know about me?\n"
        "- {bot}, forget that I like pizza\n"
        "What is kept of you is yours: “{bot}, send me what you keep about me”, “{bot}, stop remembering me”.",
        "Да? Можно сказать так:\n- {bot}, запомни, что я люблю пиццу\n- {bot}, что ты знаешь обо мне?\n"
        "- {bot}, забудь, что я люблю пиццу\n"
        "Всем, что о вас хранится, распоряжаетесь вы: «{bot}, пришли мои данные», «{bot}, не запоминай меня».",
    )
    NO_MODEL = (
        "I cannot chat without a language model, but I hear and remember. Try “{bot}, remember that …”, "
        "“{bot}, forget that …” or “{bot}, what do you know about me?”.",
        "Без языковой модели я не могу поддержать беседу, но слышу и помню. Попробуйте «{bot}, запомни, что …», "
        "«{bot}, забудь, что …» или «{bot}, что ты знаешь обо мне?».",
    )
    HEARD = ("All right.", "Хорошо.")
    KEPT_BY_TOOL = ("remembered", "записано")
    SET_ASIDE_BY_TOOL = ("no longer so", "больше не так")
    MENTIONED_BY_TOOL = ("mentioned again", "снова упомянуто")
    PLACES = ("Places:", "Места:")
    MENTIONED_IN = ("(mentioned in {conversations})", "(упоминается в {conversations})")
    FAILED = (
        "Something went wrong on my side. Ask me what I know before you rely on it.",
        "У меня что-то сломалось. Спросите, что я знаю, прежде чем на это полагаться.",
    )
    DATABASE_AWAY = (
        "I cannot reach my memory right now, so nothing was stored or changed. Please try again in a minute.",
        "Сейчас память недоступна, поэтому ничего не записано и не изменено. Попробуйте через минуту.",
    )


_NOUNS: Final = {
    "fact": {Language.ENGLISH: ("fact", "facts"), Language.RUSSIAN: ("факт", "факта", "фактов")},
    "message": {
        Language.ENGLISH: ("message", "messages"),
        Language.RUSSIAN: ("сообщение", "сообщения", "сообщений"),
    },
    "day": {Language.ENGLISH: ("day", "days"), Language.RUSSIAN: ("день", "дня", "дней")},
    "in conversation": {
        Language.ENGLISH: ("conversation", "conversations"),
        Language.RUSSIAN: ("разговоре", "разговорах", "разговорах"),
    },
    "text of message": {
        Language.ENGLISH: ("message", "messages"),
        Language.RUSSIAN: ("сообщения", "сообщений", "сообщений"),
    },
}
"""Forms for one, (a few,) many; Russian takes the second for 2-4, 22-24 ..."""


def say(text: Catalogue, language: Language, **values: str | int) -> str:
    """Return a sentence of any catalogue with `values` put in."""
    english, russian = text.value
    return (russian if language is Language.RUSSIAN else english).format(**values)


def counted(number: int, noun: str, language: Language) -> str:
    """Return a number with its noun in the right form: "1 fact", "5 facts", "2 факта", "11 фактов"."""
    forms = _NOUNS[noun][language]
    if language is Language.ENGLISH:
        return f"{number} {forms[number != 1]}"
    if number % 10 == 1 and number % 100 != 11:
        return f"{number} {forms[0]}"
    few = 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14
    return f"{number} {forms[1 if few else 2]}"
