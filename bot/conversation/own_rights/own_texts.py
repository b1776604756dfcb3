"""What is said about what members decide of their own memory: English first, then Russian."""

from typing import Final

from bot.conversation.texts import Catalogue
from bot.domain import FactCategory
from bot.memory.standing import PROFILE


class OwnText(Catalogue):
    """Fixed sentences about the asker's own memory."""

    WHICH_PLACE = (
        "We meet on several servers. Which one do you mean?",
        "Мы видимся на нескольких серверах. О каком речь?",
    )
    ANSWER_NUMBER = ("Answer with the number.", "Ответьте номером.")
    SAY_YES = (
        "Answer “yes” within 5 minutes and it is done.",
        "Ответьте «да» в течение 5 минут, и всё будет сделано.",
    )
    ALL_PLACES = ("everywhere, here too", "везде, и здесь тоже")
    HERE = ("on this server", "на этом сервере")
    ON_SERVER = ("on {name}", "на сервере {name}")
    ON_SERVER_AND_HERE = ("on {name} and in this conversation", "на сервере {name} и в этой переписке")
    IN_CHOSEN = ("there", "там")
    IN_PRIVATE = ("in this conversation", "в этой переписке")
    EVERYWHERE = ("everywhere we meet, here too", "везде, где мы видимся, и здесь тоже")
    NAMELESS = ("a server without a name", "сервер без названия")

    STOPPED = (
        "Done: from now on nothing that you say {where}, and nothing that others say about you there, is kept. "
        "You are still answered. “{bot}, you may remember me” or /memory on undoes it.",
        "Готово: {where} больше не сохраняется ничего из сказанного вами и ничего из сказанного о вас. Отвечать "
        "вам буду по-прежнему. Вернуть всё можно словами «{bot}, запоминай меня» или командой /memory on.",
    )
    STOPPED_ALREADY = (
        "Nothing of you is kept {where} already, and you are still answered. “{bot}, you may remember me” or "
        "/memory on undoes it.",
        "Там, о чём речь ({where}), о вас и так ничего не сохраняется, а отвечать вам буду по-прежнему. Вернуть всё "
        "можно словами «{bot}, запоминай меня» или командой /memory on.",
    )
    OFFER_TO_ERASE = (
        "What was kept before is told to nobody now, but it is still there. Answer “yes” within 5 minutes and it is "
        "erased too.",
        "Сохранённое раньше больше никому не рассказывается, но пока хранится. Ответьте «да» в течение 5 минут, и оно "
        "тоже будет стёрто.",
    )
    OFFER_TO_ERASE_FORM = (
        "What was kept before is told to nobody now, but it is still there. You can have it erased too.",
        "Сохранённое раньше больше никому не рассказывается, но пока хранится. Его тоже можно стереть.",
    )
    ON_AGAIN = (
        "Done: from now on what you say {where} is kept again. What you said in between is not. “{bot}, stop "
        "remembering me” or /memory off ends it.",
        "Готово: {where} сказанное вами снова сохраняется. Того, что было сказано за это время, у меня нет. Прекратить "
        "можно словами «{bot}, не запоминай меня» или командой /memory off.",
    )
    ON_ALREADY = (
        "You are remembered {where} as everybody is. “{bot}, stop remembering me” or /memory off ends it.",
        "Сказанное вами сохраняется ({where}), как и у всех. Прекратить можно словами «{bot}, не запоминай меня» или "
        "командой /memory off.",
    )
    PRIVATE = (
        "Done: {where} I tell others nothing about you. “{bot}, you may tell others about me” or /memory private "
        "undoes it.",
        "Готово: {where} другим о вас ничего не рассказывается. Отменить можно словами «{bot}, рассказывай обо мне "
        "другим» или командой /memory private.",
    )
    NOT_PRIVATE = (
        "Done: {where} others may be told again what you said openly.",
        "Готово: {where} другим снова можно рассказывать то, что вы говорили открыто.",
    )

    CATEGORIES = (
        "What I may keep of you {where}, and for how long:",
        "Что о вас сохраняется ({where}) и как долго:",
    )
    CATEGORY = ("- {category}: {choice}", "- {category}: {choice}")
    IS_KEPT = ("kept", "сохраняется")
    IS_KEPT_FOR = ("kept for {days}", "сохраняется {days}")
    IS_NOT_KEPT = ("not kept", "не сохраняется")
    CATEGORIES_ABSENT = (
        "Now nothing of you is kept {where}; this would hold if you let me remember you.",
        "Сейчас о вас ничего не сохраняется ({where}); это действовало бы, если разрешить запоминать вас.",
    )
    CATEGORY_KEPT = (
        "Done: {category} about you are kept {where} from now on.",
        "Готово, теперь о вас снова сохраняется ({where}): {category}.",
    )
    CATEGORY_KEPT_FOR = (
        "Done: {category} about you are kept {where} for {days} from now on; what is older goes within the hour.",
        "Готово, теперь о вас сохраняется ({where}, срок — {days}): {category}. Более старое исчезнет в течение часа.",
    )
    CATEGORY_NOT_KEPT = (
        "Done: {category} about you are no longer kept {where}; what there was goes within the hour.",
        "Готово, теперь о вас не сохраняется ({where}): {category}. Что было, исчезнет в течение часа.",
    )
    WRONG_DAYS = (
        "{value} days cannot be used: it must be a whole number from 1 to {most}. Nothing was changed.",
        "{value} дней задать нельзя: нужно целое число от 1 до {most}. Ничего не изменено.",
    )
    WRONG_CATEGORY = (
        "There is no kind of memory “{value}”: there are {names}. Nothing was changed.",
        "Вида записей «{value}» нет, есть {names}. Ничего не изменено.",
    )

    EXPORTED = (
        "This is what is kept about you {where}, for your eyes alone.",
        "Вот всё, что о вас хранится ({where}). Это видите только вы.",
    )
    EXPORT_SENT = (
        "I have sent you a file with what is kept about you as a direct message.",
        "Файл со всем, что о вас хранится, отправлен вам личным сообщением.",
    )
    EXPORT_NOT_SENT = (
        "I cannot send you direct messages, and this is for your eyes alone: use /memory export.",
        "Отправить вам личное сообщение не получается, а это только для вас: воспользуйтесь командой /memory export.",
    )
    EXPORT_TOO_LARGE = (
        "What is kept about you is too large for one message (more than {megabytes} MB): ask whoever runs me for it, "
        "who has “keepsake export”.",
        "Всё, что о вас хранится, не помещается в одно сообщение (больше {megabytes} МБ): попросите об этом того, кто "
        "меня запускает, у него есть «keepsake export».",
    )

    ERASES = (
        "This erases {counts} {where}, for good: your own words everywhere, and what others said about you where you "
        "can read it. What others said in closed channels that you cannot read is left to those who manage the server.",
        "Это навсегда сотрёт ({where}) {counts}: ваши слова везде, и то, что о вас говорили там, где вы это можете "
        "прочесть. Сказанное в закрытых для вас каналах остаётся на решение управляющих сервером.",
    )
    OWN_MESSAGES = ("{messages} of yours", "{messages} от вас")
    MENTIONS = ("messages of others that name you ({number})", "ваше имя в чужих сообщениях ({number})")
    ANSWERS = ("{messages} of mine to you or about you", "{messages} от меня вам или о вас")
    FACTS = ("{facts} about you", "{facts} о вас")
    LEARNED = ("your profile", "ваш портрет")
    SUMMARIES = ("summaries of you ({number})", "пересказы о вас ({number})")
    ERASES_ALL = ("all that is kept of you", "всё, что о вас хранится")
    NOTHING_TO_ERASE = (
        "Nothing is kept of you {where}, so there was nothing to erase.",
        "О вас ничего не хранится ({where}), так что и стирать нечего.",
    )
    ERASED = ("Erased {where}: {counts}.", "Стёрто ({where}): {counts}.")
    ERASING_WAITS = (
        "Not everything is erased yet: somebody has been at work in the database since before you asked, and might "
        "still write something of you. The erasing waits for that to end and then goes on by itself, you need not ask "
        "again. What you said until now is not stored anew.",
        "Стёрто пока не всё: с базой данных ещё до вашей просьбы кто-то начал работать и может что-то о вас записать. "
        "Стирание дождётся, пока это закончится, и продолжится само, просить ещё раз не нужно. Сказанное вами до этого "
        "момента заново не сохраняется.",
    )
    ERASED_AND_OFF = (
        "From now on nothing of you is kept either.",
        "И с этого момента о вас ничего не сохраняется.",
    )
    ERASED_NOTHING_MORE = (
        "Erased {where}: there was nothing left of you.",
        "Стёрто ({where}): больше о вас ничего не было.",
    )
    ERASE_COMMAND = ("erase everything you keep about me", "сотри всё, что ты обо мне хранишь")
    """As the grammar reads it, in either language."""

    HOW_TO_OPT_IN = (
        "-# Here I keep something only of those who agree, and you have not: so I will not remember this. Say “{bot}, "
        "you may remember me” or use /memory on if you like.",
        "-# Здесь сохраняются слова только тех, кто согласился, а от вас согласия нет, так что это не запомнится. Если "
        "хотите, скажите «{bot}, запоминай меня» или используйте /memory on.",
    )
    YOU_ARE_ABSENT = (
        "I keep nothing about you, as long as you have not agreed to it: “{bot}, you may remember me” or /memory on "
        "changes that.",
        "О вас ничего не сохраняется, пока вы этого не разрешите: это изменит «{bot}, запоминай меня» или /memory on.",
    )
    THEY_ARE_ABSENT = (
        "{name} does not want anything remembered, so I stored nothing.",
        "{name}: об этом участнике ничего не сохраняется, так что ничего не записано.",
    )
    YOU_LEFT_OUT = (
        "You chose that I keep no {category} about you, so I stored nothing; /memory categories changes that.",
        "По вашему выбору о вас не сохраняется: {category}. Ничего не записано; изменить это можно командой /memory "
        "categories.",
    )
    THEY_LEFT_OUT = (
        "{name} does not want that kind of thing remembered, so I stored nothing.",
        "{name}: такое об этом участнике не сохраняется, так что ничего не записано.",
    )


class KindText(Catalogue):
    """What the kinds of memory are called, each so that "about you" may follow."""

    FACT = ("facts", "факты")
    PREFERENCE = ("preferences", "предпочтения")
    EVENT = ("events", "события")
    FEELING = ("feelings", "чувства")
    PLACE = ("places", "места")
    OTHER = ("other things", "прочее")
    PROFILE = ("conclusions from our talks (the profile)", "выводы из разговоров (портрет)")


KINDS: Final = {
    FactCategory.FACT.value: KindText.FACT,
    FactCategory.PREFERENCE.value: KindText.PREFERENCE,
    FactCategory.EVENT.value: KindText.EVENT,
    FactCategory.FEELING.value: KindText.FEELING,
    FactCategory.PLACE.value: KindText.PLACE,
    FactCategory.OTHER.value: KindText.OTHER,
    PROFILE: KindText.PROFILE,
}
"""What each category is called."""
