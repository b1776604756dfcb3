"""What is said of forgetting beside the sentences of `bot.conversation.texts`: English first, then Russian."""

from bot.conversation.texts import Catalogue


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
