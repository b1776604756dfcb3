"""Fixed sentences for forms, beside those that commands in words use too."""

from bot.chat.texts import Catalogue


class FormText(Catalogue):
    """Fixed sentences of the use cases; `bot.chat.texts` holds the others."""

    FOR_MEMBERS = (
        "Memories are for the members of this server: you will see and add some once you have their role.",
        "Память доступна только участникам сервера: она откроется, когда у вас появится их роль.",
    )
    SEVERAL = (
        "Several members are called {name}. Choose the member in the command itself; nothing was stored.",
        "Имя {name} здесь носят несколько человек. Выберите участника в самой команде; ничего не записано.",
    )
    NOT_HEARD = (
        "I have not heard that message, so there is nothing that I could remember or forget.",
        "Этого сообщения у меня нет, так что ни запомнить, ни забыть его нельзя.",
    )
    GONE_ALREADY = (
        "That is not here (any more), so there was nothing to forget.",
        "Этого здесь нет или уже нет, так что и забывать нечего.",
    )
    CHANNEL_STAYS_CLOSED = (
        "What is said in that channel cannot be told here: ask me there.",
        "То, что сказано в том канале, здесь не рассказать: спросите об этом там.",
    )
    WRONG_SINCE = (
        "“{value}” is no time that I understand: it must be such as 2 hours, 8:30, yesterday, Monday or 2026-03-01.",
        "«{value}» — непонятное время: нужно, например, 2 часа, 8:30, вчера, понедельник или 2026-03-01.",
    )
    NOT_ABOUT_YOU = (
        "That is not kept about you, so there was nothing to take off you.",
        "Это записано не о вас, так что и снимать нечего.",
    )
    DISOWNED = (
        "Taken off you: I will not say that of you again. The messages stay as they are.",
        "Готово: больше это о вас не скажу. Сами сообщения остались как были.",
    )
    SEARCH_WHAT = (
        "What should I search for? Say a few words of what was talked about.",
        "Что искать? Напишите несколько слов из того, о чём говорили.",
    )
    FOR_MANAGERS = (
        "Only those who may manage this server can change that, so nothing was changed.",
        "Менять это могут только управляющие сервером, поэтому ничего не изменено.",
    )
    SETTINGS_FOR_MANAGERS = (
        "The settings are for those who may manage this server.",
        "Настройки доступны только управляющим сервером.",
    )
    FOR_MODERATORS = (
        "Only moderators can make me be quiet, so nothing was changed.",
        "Просить меня помолчать могут только модераторы, поэтому ничего не изменено.",
    )
    UNKNOWN_SETTING = (
        "There is no setting “{name}”: there are {names}. Nothing was changed.",
        "Настройки «{name}» нет, есть {names}. Ничего не изменено.",
    )
    WRONG_VALUE = (
        "{label}: “{value}” cannot be used; it must be {allowed}. Nothing was changed.",
        "{label}: значение «{value}» не подходит, нужно так: {allowed}. Ничего не изменено.",
    )
    WRONG_VALUE_CLOSEST = (
        "{label}: “{value}” cannot be used; the closest is {closest}. It must be {allowed}. Nothing was changed.",
        "{label}: значение «{value}» не подходит, ближе всего {closest}. Нужно так: {allowed}. Ничего не изменено.",
    )
    CHANGED = ("{label}: {value} from now on.", "{label}: теперь {value}.")
    SET_TO_DEFAULT = (
        "{label}: the default ({value}) from now on.",
        "{label}: теперь по умолчанию ({value}).",
    )
    PERSONA_TOO_LONG = (
        "That persona has {characters} characters; it must have {allowed} at most. Nothing was changed.",
        "В этом описании {characters} знаков, а можно не больше {allowed}. Ничего не изменено.",
    )
    PREVIEW = (
        "With that persona a greeting reads:\n{greeting}",
        "С таким описанием приветствие звучит так:\n{greeting}",
    )
    PREVIEW_GREETING = (
        "Hello, I am {bot}. No language model answers right now, so you cannot hear this persona yet.",
        "Здравствуйте, я {bot}. Сейчас не отвечает ни одна языковая модель, поэтому этого описания пока не слышно.",
    )
    NO_CHANNEL = (
        "I do not know this channel yet; please try again in a minute.",
        "Этот канал мне пока не знаком; попробуйте через минуту.",
    )
    NO_CHANNELS_HERE = (
        "A direct message has no such switches: here I always hear and answer you.",
        "В личных сообщениях таких переключателей нет: здесь вам всегда отвечают.",
    )
    HEARING = ("What is said in this channel is kept.", "Сказанное в этом канале сохраняется.")
    NOT_HEARING = (
        "What is said in this channel is not kept; what was kept before stays until it is forgotten.",
        "Сказанное в этом канале не сохраняется; прежнее остаётся, пока его не попросят забыть.",
    )
    ANSWERING_ALWAYS = ("I answer every message here.", "Ответ будет на каждое сообщение.")
    ANSWERING_ADDRESSED = ("I answer when I am spoken to.", "Ответ будет, когда ко мне обратятся.")
    ANSWERING_NEVER = ("I answer nobody here.", "Ответов здесь не будет.")
    QUIET_UNTIL = ("I am quiet here until {time} ({zone}).", "До {time} ({zone}) здесь будет тихо.")
    NOT_QUIET = ("I am not quiet here.", "Просьбы помолчать здесь нет.")
    EPISODES = (
        "What past conversations in this channel left behind:",
        "Что осталось от прошлых разговоров в этом канале:",
    )
    NO_EPISODES = (
        "Past conversations in this channel have left nothing behind.",
        "От прошлых разговоров в этом канале ничего не осталось.",
    )
    EPISODES_FOR_MODERATORS = (
        "Only moderators may see and remove what conversations left behind.",
        "Видеть и удалять то, что осталось от разговоров, могут только модераторы.",
    )
    EPISODE_REMOVED = ("Removed: that is no longer kept.", "Удалено: этого у меня больше нет.")
    EPISODE_GONE = (
        "That is not here (any more), so nothing was removed.",
        "Этого здесь нет или уже нет, так что ничего не удалено.",
    )
    WRONG_DURATION = (
        "“{value}” is no duration that I can take: it must be a time from 1m to 7d, such as 30m, 1h or 2d, or off. "
        "Nothing was changed.",
        "«{value}» — не подходящий срок: нужно время от 1m до 7d, например 30m, 1h или 2d, или off. "
        "Ничего не изменено.",
    )
    PROFILE = (
        "What I learned about you from what we talked about:",
        "Вот что стало понятно о вас из наших разговоров:",
    )
    NO_PROFILE = (
        "I have learned nothing about you from our talks yet.",
        "Из наших разговоров о вас пока ничего не понято.",
    )
    LEARNING_IS_ON = (
        "I learn from our talks in open channels. You can have a sentence removed for good, or switch learning off.",
        "Из наших разговоров в открытых каналах делаются выводы. Любое предложение можно удалить навсегда, "
        "а сами выводы отключить.",
    )
    LEARNING_IS_OFF = (
        "I learn nothing from our talks, as you wished. You can switch it on again.",
        "Из наших разговоров, как вы и просили, не делается никаких выводов. Их можно снова включить.",
    )
    NOTHING_IS_LEARNED = (
        "Nothing is learned from talks here: it is switched off for everybody.",
        "Здесь из разговоров не делается никаких выводов: это отключено для всех.",
    )
    SENTENCE_DELETED = (
        "Removed: that sentence is gone for good from what I learned about you.",
        "Удалено: этого предложения о вас больше нет и не будет.",
    )
    NO_SENTENCE = (
        "That sentence is not there any more; nothing was removed.",
        "Такого предложения уже нет; ничего не удалено.",
    )
    LEARNING_ON = (
        "From now on I learn from our talks in open channels.",
        "Теперь из наших разговоров в открытых каналах будут делаться выводы.",
    )
    LEARNING_OFF = (
        "From now on I learn nothing from our talks. What I learned before stays until you have it removed.",
        "Больше из наших разговоров не будет делаться выводов. Сделанные раньше остаются, пока вы их не удалите.",
    )
    NOT_HEARD_YET = (
        "I do not know you on any server yet, so there is nothing to switch.",
        "Мы пока не встречались ни на одном сервере, так что переключать нечего.",
    )
    HELP = (
        "Call me by name: “{bot}, remember that I like pizza”, “{bot}, what do you know about me?”, "
        "“{bot}, forget that I like pizza”. Or use these:\n"
        "- /memory show: what I know about a member, or about this server\n"
        "- /memory remember: keep something\n"
        "- /memory forget: remove something for good\n"
        "- /memory catchup: what was said while you were away\n"
        "- /memory search: find what was talked about\n"
        "- /memory profile: what I learned about you, and whether I do\n"
        "- /memory off or /memory on: whether anything of you is kept; I answer you either way\n"
        "- /memory private: tell others nothing about you; /memory categories: which kinds are kept, and how long\n"
        "- /memory export: a file with all of it; /memory erase: the end of it\n"
        "- /memory settings: time zone, base role, persona and more (for managers)\n"
        "- /memory channel: what is kept and answered in a channel (for managers)\n"
        "- /memory quiet 1h: no answers here for a while (for moderators)\n"
        "- /privacy: what is kept, how long, and who sees it\n"
        "What you see depends on the channel: what is said in a closed one stays there.",
        "Обращайтесь по имени: «{bot}, запомни, что я люблю пиццу», «{bot}, что ты знаешь обо мне?», "
        "«{bot}, забудь, что я люблю пиццу». Или так:\n"
        "- /memory show: что известно об участнике или о сервере\n"
        "- /memory remember: записать что-нибудь\n"
        "- /memory forget: удалить что-нибудь навсегда\n"
        "- /memory catchup: что было сказано без вас\n"
        "- /memory search: найти, о чём говорили\n"
        "- /memory profile: что стало понятно о вас из разговоров\n"
        "- /memory off или /memory on: сохранять ли сказанное вами; отвечать буду в любом случае\n"
        "- /memory private: ничего не рассказывать о вас другим; /memory categories: какие записи хранить и как долго\n"
        "- /memory export: файл со всем этим; /memory erase: стереть всё\n"
        "- /memory settings: часовой пояс, основная роль, характер и прочее (для управляющих)\n"
        "- /memory channel: что в канале сохраняется и когда есть ответы (для управляющих)\n"
        "- /memory quiet 1h: не отвечать здесь какое-то время (для модераторов)\n"
        "- /privacy: что хранится, как долго и кто это видит\n"
        "Видно то, что можно видеть в этом канале: сказанное в закрытом канале там и остаётся.",
    )
