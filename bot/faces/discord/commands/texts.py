"""Names and sentences of the commands on Discord, as members see them: English first, then Russian."""

from discord import app_commands

from bot.conversation.texts import Catalogue


class CommandText(Catalogue):
    """Names of commands and options, what is told about them, labels of buttons, and a few sentences."""

    MEMORY = ("memory", "память")
    MEMORY_WHAT = ("What I keep in mind here", "Что здесь хранится в памяти")

    SHOW = ("show", "показать")
    SHOW_WHAT = (
        "What I know about a member, or about this server",
        "Что известно об участнике или о сервере",
    )
    MEMBER = ("member", "участник")
    SHOW_MEMBER = ("Whom it is about; nobody for this server", "О ком; без участника — о сервере")

    REMEMBER = ("remember", "запомнить")
    REMEMBER_WHAT = ("Have something remembered", "Записать что-нибудь в память")
    TEXT = ("text", "текст")
    REMEMBER_TEXT = ("What to remember, in your words", "Что запомнить, своими словами")
    REMEMBER_MEMBER = (
        "Whom it is about, if your words do not name them",
        "О ком это, если в тексте никто не назван",
    )

    FORGET = ("forget", "забыть")
    FORGET_WHAT = ("Have something forgotten for good", "Удалить что-нибудь из памяти навсегда")
    FACT = ("fact", "запись")
    FORGET_FACT = ("What to forget: choose it from the list", "Что удалить: выберите из списка")
    FORGET_MEMBER = (
        "Whom it is about; nobody for you and this server",
        "О ком; без участника — о вас и о сервере",
    )
    NOT_CHOSEN = (
        "Please choose what to forget from the list that opens as you type; nothing was removed.",
        "Выберите запись из списка, который открывается при вводе; ничего не удалено.",
    )

    CATCHUP = ("catchup", "пропущенное")
    CATCHUP_WHAT = ("What was said while you were away", "Что было сказано без вас")
    IN_CHANNEL = ("channel", "канал")
    IN_CHANNEL_WHAT = (
        "Only this channel; all that may be told here without it",
        "Только этот канал; без него всё, что можно рассказать здесь",
    )
    SINCE = ("since", "начиная")
    SINCE_WHAT = (
        "Such as 2 hours, yesterday or Monday; your last message without it",
        "Например 2 часа, вчера или понедельник; без этого — ваше последнее сообщение",
    )

    PROFILE = ("profile", "портрет")
    PROFILE_WHAT = (
        "What I learned about you from our talks; remove a sentence, or switch it off",
        "Что стало понятно о вас из разговоров; удалить предложение или отключить",
    )
    REMOVE = ("remove", "удалить")
    REMOVE_WHAT = (
        "A sentence to remove for good: choose it",
        "Какое предложение удалить: выберите из списка",
    )
    LEARN = ("learning", "выводы")
    LEARN_WHAT = (
        "Whether I learn from our talks in open channels",
        "Делать ли выводы из разговоров в открытых каналах",
    )

    SEARCH = ("search", "поиск")
    SEARCH_WHAT = (
        "Find what was said, what is known and past talks",
        "Найти сказанное, записанное и прошлые разговоры",
    )
    WORDS = ("words", "слова")
    WORDS_WHAT = (
        "What it was about; “last week” or “in March” narrows it down",
        "О чём шла речь; «на прошлой неделе» или «в марте» сузит поиск",
    )

    SETTINGS = ("settings", "настройки")
    SETTINGS_WHAT = (
        "Show or change the settings (for managers)",
        "Показать или изменить настройки (для управляющих)",
    )
    TIME_ZONE = ("time_zone", "часовой_пояс")
    TIME_ZONE_WHAT = (
        "Whose days count here, such as Europe/Berlin",
        "Чьё время здесь действует, например Europe/Moscow",
    )
    BASE_ROLE = ("base_role", "основная_роль")
    BASE_ROLE_WHAT = (
        "What this role can read counts as open to all members",
        "То, что видно этой роли, считается открытым для всех",
    )
    PERSONA = ("persona", "характер")
    PERSONA_WHAT = (
        "Who I am here; you hear it before you decide",
        "Кто я здесь; сначала можно услышать, как это звучит",
    )
    RETENTION = ("retention_days", "дней_хранить")
    RETENTION_WHAT = (
        "Days that messages are kept; 0 for ever",
        "Сколько дней хранить сообщения; 0 — бессрочно",
    )
    TEXT_SEARCH = ("text_search", "язык_поиска")
    TEXT_SEARCH_WHAT = ("The language that words are searched in", "На каком языке искать по словам")
    OTHERS = ("remember_others", "записи_о_других")
    OTHERS_WHAT = (
        "Who may have things remembered about others",
        "Кто может записывать что-то о других",
    )
    PINGS = ("pings", "уведомления")
    PINGS_WHAT = ("Whether my replies ping whom they answer", "Уведомлять ли тех, кому приходит ответ")
    RESET = ("reset", "сбросить")
    RESET_WHAT = ("Put one setting back to its default", "Вернуть одной настройке значение по умолчанию")

    CHANNEL = ("channel", "канал")
    CHANNEL_WHAT = (
        "What is kept and answered in this channel (for managers)",
        "Что в этом канале сохраняется и когда есть ответы (для управляющих)",
    )
    HEARING = ("hearing", "слушать")
    HEARING_WHAT = ("Whether what is said here is kept", "Сохранять ли сказанное здесь")
    ANSWERS = ("answers", "отвечать")
    ANSWERS_WHAT = ("When I answer here", "Когда здесь отвечать")

    QUIET = ("quiet", "тишина")
    QUIET_WHAT = (
        "No answers in this channel for a while (for moderators)",
        "Какое-то время не отвечать в этом канале (для модераторов)",
    )
    DURATION = ("duration", "срок")
    DURATION_WHAT = ("Such as 30m, 1h or 2d; off to end it", "Например 30m, 1h или 2d; off, чтобы закончить")

    HELP = ("help", "помощь")
    HELP_WHAT = ("What you can ask of me", "О чём можно попросить")

    PRIVACY = ("privacy", "приватность")
    PRIVACY_WHAT = (
        "What I keep here, for how long, who sees it, and your say in it",
        "Что здесь хранится, как долго, кто это видит и чем вы распоряжаетесь",
    )

    REMEMBER_THIS = ("Remember this", "Запомнить это")
    FORGET_THIS = ("Forget this", "Забыть это")
    WHY = ("Why?", "Почему?")
    WHAT_DO_YOU_KNOW = ("What do you know?", "Что ты знаешь?")

    ON = ("on", "вкл")
    OFF = ("off", "выкл")
    ALWAYS = ("always", "всегда")
    WHEN_ADDRESSED = ("when addressed", "когда обращаются")
    NEVER = ("never", "никогда")
    EVERYONE = ("everyone", "все")
    MODERATORS = ("moderators", "модераторы")
    NOBODY = ("nobody", "никто")

    EARLIER = ("Back", "Назад")
    LATER = ("More", "Дальше")
    PAGE = ("Page {page} of {pages}", "Страница {page} из {pages}")
    SOURCE = ("source", "источник")
    TAKE_BACK = ("Undo", "Отменить")
    FORGET_NUMBER = ("Forget {number}", "Забыть {number}")
    NOT_ME_NUMBER = ("Not me {number}", "Не я {number}")
    EPISODE_REMOVE = ("Remove {number}", "Удалить {number}")

    SETTINGS_TITLE = ("Settings", "Настройки")
    SETTINGS_HINT = (
        "Change one with {command} and its options.",
        "Изменить можно командой {command} с её параметрами.",
    )
    SETTING_DEFAULT = ("{value} (default)", "{value} (по умолчанию)")
    PERSONA_USE = ("Use this persona", "Взять это описание")
    PERSONA_EDIT = ("Write a persona…", "Описать характер…")
    PERSONA_FORM = ("Persona", "Характер")
    PERSONA_FIELD = ("Who I am here", "Кто я здесь")
    PERSONA_UNDECIDED = (
        "Nothing is changed yet: press the button to use it.",
        "Пока ничего не изменено: нажмите кнопку, чтобы взять его.",
    )


def named(text: Catalogue) -> app_commands.locale_str:
    """Return a name or a description as the library takes it, with its Russian beside it."""
    english, russian = text.value
    return app_commands.locale_str(english, russian=russian)
