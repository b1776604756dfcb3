"""Fixed sentences about forgetting, refusing, removals, and what members decide about their own data."""

from typing import Final

from bot.chat.texts import Catalogue, Text, counted, say
from bot.core.domain import FactCategory, ForgettingOthers, Guild, Language, mention_of
from bot.memory.outbox.removal_log import Removal
from bot.memory.policy.consent import PROFILE


class ForgetText(Catalogue):
    """Fixed sentences; none of them repeats what is or was forgotten."""

    NOT_YOURS = (
        "That is somebody else's to forget: whom it is about, who told it, or a moderator. Nothing was removed.",
        "Забыть это может попросить другой: тот, о ком это, кто это рассказал, или модератор. Ничего не удалено.",
    )
    OTHERS_STAY = (
        "{facts} besides stayed: that is somebody else's to forget.",
        "Ещё {facts} осталось: забыть это может попросить только другой.",
    )
    ASK_FACTS = (
        "That would remove {facts} about {name} and the text of {messages}. Answer “yes” within 5 minutes and it is "
        "done.",
        "Это удалит {facts} ({name}) и текст {messages}. Ответьте «да» в течение 5 минут, и всё будет убрано.",
    )
    ASK_WORDS = (
        "That would remove {messages} of {whose}{where}{since}, with {facts} that rest on them. Answer “yes” within "
        "5 minutes and it is done.",
        "Это удалит {messages} ({whose}{where}{since}) и {facts}, которые на них держатся. Ответьте «да» в течение "
        "5 минут, и всё будет убрано.",
    )
    YOURS = ("yours", "ваши")
    EVERYBODYS = ("everybody's", "всех участников")
    HERE = (" in this channel", ", в этом канале")
    SINCE = (" since {time}", ", с {time}")
    ONLY_YOURS = (
        "Only moderators can have what others said here forgotten, so this is about your own words.",
        "Просить забыть сказанное здесь другими могут только модераторы, поэтому речь о ваших словах.",
    )
    WRONG_SINCE = (
        "I do not understand since when: say it like “since Monday”, “since yesterday” or “the last 2 hours”.",
        "Непонятно, с какого времени: скажите, например, «с понедельника», «со вчера» или «за последние 2 часа».",
    )
    DONE_WORDS = (
        "Forgotten: I removed {facts} and the text of {messages}.",
        "Готово, удалено: {facts} и текст {messages}.",
    )
    GOES_ON = (
        "Forgotten so far: {facts} and the text of {messages}. The rest follows by itself.",
        "Уже удалено: {facts} и текст {messages}. Остальное уберётся само.",
    )
    CATCHING_UP = (
        "I am still catching up on what was said while I was away.",
        "Я ещё дочитываю то, что было сказано без меня.",
    )
    FACTS_GO_ON = (
        "{facts} are being forgotten; what says them follows by itself.",
        "Забывается {facts}; всё, где об этом говорится, уберётся само.",
    )
    KIND_COMMAND = ("forget {name}'s {kind}", "забудь {kind} {name}")
    DETAILS = ("What that took, in numbers:", "Что было убрано, в числах:")
    NO_DETAILS = (
        "There is nothing (any more) that I could tell of that: only who asked can look, for 30 days.",
        "Об этом рассказать (уже) нечего: подробности видны 30 дней и только тому, кто попросил.",
    )
    DETAIL_FACTS = ("facts: {number}", "факты: {number}")
    DETAIL_MESSAGES = (
        "messages that lost their text: {number}",
        "сообщения, оставшиеся без текста: {number}",
    )
    DETAIL_SUMMARIES = (
        "profiles, summaries of talks and episodes that lost what said it: {number}",
        "портреты, пересказы и эпизоды, из которых это ушло: {number}",
    )
    DETAIL_DAYS = (
        "summaries of days that are told anew: {number}",
        "дни, которые пересказаны заново: {number}",
    )
    DETAIL_OWN = (
        "messages of mine that told it and may still stand here: {number}",
        "мои сообщения об этом, которые ещё могут здесь стоять: {number}",
    )
    DETAIL_LEFT = (
        "messages of others with the same words, which I left alone: {number}",
        "сообщения других с теми же словами, которые остались: {number}",
    )
    STILL_AT_IT = ("More is being removed.", "Удаление ещё продолжается.")
    OWN_DELETED = (
        "Done: {messages} of mine that told it no longer stand here.",
        "Готово: {messages} из моих больше здесь не стоят.",
    )
    OWN_GONE = (
        "No message of mine that told it stands here (any more).",
        "Моих сообщений об этом здесь нет или уже нет.",
    )


class RefusalText(Catalogue):
    """Sentences of refusals: English first, then Russian."""

    NOT_YOURS = (
        "Only who told it, whom it is about, or a moderator can have that changed or removed, so nothing was done.",
        "Изменить или удалить это может только тот, кто это рассказал, тот, о ком это, или модератор, поэтому "
        "ничего не сделано.",
    )
    NOT_YOURS_HERE = (
        "On this server only whom it is about and moderators can have that changed or removed, so nothing was done.",
        "На этом сервере изменить или удалить это может только тот, о ком это, или модератор, поэтому ничего "
        "не сделано.",
    )
    UNKIND = (
        "I would rather not keep that about somebody else, so nothing of it was stored. Something kind, I gladly will.",
        "Такое о других я лучше записывать не буду, поэтому ничего не сохранено. А доброе — с радостью.",
    )
    SENSITIVE = (
        "That is for themselves to tell: matters like health, faith, politics, love or money I keep about nobody "
        "on somebody else's word, so nothing of it was stored.",
        "Об этом пусть расскажут сами: здоровье, веру, политику, личную жизнь и деньги с чужих слов не записываю, "
        "поэтому ничего не сохранено.",
    )


def not_yours_text(
    guild: Guild | None, language: Language, by_tellers: Catalogue = RefusalText.NOT_YOURS
) -> str:
    """Return what is said to who may not have changed or removed what is known: who may, in this guild.

    `by_tellers` is the sentence where whoever told something about others may, as they may in a new guild.
    """
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    return say(by_tellers if tellers_may else RefusalText.NOT_YOURS_HERE, language)


def not_yours_to_undo_text(guild: Guild | None, language: Language) -> str:
    """Return what is said to who may not take back a write."""
    return not_yours_text(guild, language, Text.NOT_YOURS_TO_UNDO)


def is_not_yours_text(text: str) -> bool:
    """Tell whether `text` says that something is not its asker's to change, in whatever language."""
    ours = (RefusalText.NOT_YOURS, Text.NOT_YOURS_TO_UNDO, RefusalText.NOT_YOURS_HERE)
    return any(text in one.value for one in ours)


class OwnRightsText(Catalogue):
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


class CategoryText(Catalogue):
    """What the kinds of memory are called, each so that "about you" may follow."""

    FACT = ("facts", "факты")
    PREFERENCE = ("preferences", "предпочтения")
    EVENT = ("events", "события")
    FEELING = ("feelings", "чувства")
    PLACE = ("places", "места")
    OTHER = ("other things", "прочее")
    PROFILE = ("conclusions from our talks (the profile)", "выводы из разговоров (портрет)")


CATEGORY_TEXTS: Final = {
    FactCategory.FACT.value: CategoryText.FACT,
    FactCategory.PREFERENCE.value: CategoryText.PREFERENCE,
    FactCategory.EVENT.value: CategoryText.EVENT,
    FactCategory.FEELING.value: CategoryText.FEELING,
    FactCategory.PLACE.value: CategoryText.PLACE,
    FactCategory.OTHER.value: CategoryText.OTHER,
    PROFILE: CategoryText.PROFILE,
}
"""What each category is called."""


class RemovalText(Catalogue):
    """Sentences of the log channel: English first, then Russian."""

    REMOVED = (
        "{by} had removed what was kept of others: {parts}.",
        "По просьбе {by} удалено сохранённое о других: {parts}.",
    )
    ABOUT = ("{counted} about {name}", "{counted} (о ком: {name})")
    WRITTEN_BY = ("the text of {counted} by {name}", "текст {counted} (чьи слова: {name})")


def removal_line(removal: Removal, language: Language) -> str:
    """Return the line, members as `<@id>`."""
    parts = [
        say(text, language, counted=counted(number, noun, language), name=mention_of(share.about_id))
        for share in removal.shares
        for text, number, noun in (
            (RemovalText.ABOUT, share.facts, "fact"),
            (RemovalText.WRITTEN_BY, share.messages, "text of message"),
        )
        if number
    ]
    return say(RemovalText.REMOVED, language, by=mention_of(removal.by_id), parts=", ".join(parts))
