"""What is said at the desk beside the sentences that commands in words have too: English first, then Russian."""

from bot.conversation.texts import Catalogue


class DeskText(Catalogue):
    """Fixed sentences of the desk; `bot.conversation.texts` holds the others."""

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
    NOT_YOURS = (
        "Only who told it, whom it is about, or a moderator may have that forgotten; nothing was removed.",
        "Удалить это может только тот, кто это рассказал, тот, о ком это, или модератор; ничего не удалено.",
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
    WRONG_DURATION = (
        "“{value}” is no duration that I can take: it must be a time from 1m to 7d, such as 30m, 1h or 2d, or off. "
        "Nothing was changed.",
        "«{value}» — не подходящий срок: нужно время от 1m до 7d, например 30m, 1h или 2d, или off. "
        "Ничего не изменено.",
    )
    HELP = (
        "Call me by name: “{bot}, remember that I like pizza”, “{bot}, what do you know about me?”, "
        "“{bot}, forget that I like pizza”. Or use these:\n"
        "- /memory show: what I know about a member, or about this server\n"
        "- /memory remember: keep something\n"
        "- /memory forget: remove something for good\n"
        "- /memory settings: time zone, base role, persona and more (for managers)\n"
        "- /memory channel: what is kept and answered in a channel (for managers)\n"
        "- /memory quiet 1h: no answers here for a while (for moderators)\n"
        "What you see depends on the channel: what is said in a closed one stays there.",
        "Обращайтесь по имени: «{bot}, запомни, что я люблю пиццу», «{bot}, что ты знаешь обо мне?», "
        "«{bot}, забудь, что я люблю пиццу». Или так:\n"
        "- /memory show: что известно об участнике или о сервере\n"
        "- /memory remember: записать что-нибудь\n"
        "- /memory forget: удалить что-нибудь навсегда\n"
        "- /memory settings: часовой пояс, основная роль, характер и прочее (для управляющих)\n"
        "- /memory channel: что в канале сохраняется и когда есть ответы (для управляющих)\n"
        "- /memory quiet 1h: не отвечать здесь какое-то время (для модераторов)\n"
        "Видно то, что можно видеть в этом канале: сказанное в закрытом канале там и остаётся.",
    )
