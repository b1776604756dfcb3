"""What the bot says on Discord of its own accord, and the names and labels of its commands, buttons and
forms: English first, then Russian.
"""

from collections.abc import Iterable
from typing import Final

import discord
from discord import app_commands

from bot.chat.texts import Catalogue
from bot.core.domain import Language


class Sentence(Catalogue):
    """Fixed sentences that answer nobody."""

    NOT_ALLOWED = (
        "I am set up for other servers only, so I leave this one again. Whoever runs me can add it to "
        "ALLOWED_GUILDS.",
        "Я работаю только на других серверах, поэтому ухожу отсюда. Тот, кто меня запускает, может добавить "
        "этот сервер в ALLOWED_GUILDS.",
    )
    BASE_ROLE = (
        "Most channels here are hidden from everyone without a role, so I treat each as closed: what is said in one "
        "stays in it. Most members have {role}. May I treat what they can all read as open? Somebody with Manage "
        "Server decides.",
        "Большинство каналов здесь скрыты от тех, у кого нет роли, поэтому каждый считается закрытым: сказанное в "
        "нём там и остаётся. У большинства участников есть {role}. Считать открытым то, что видно им всем? Решает "
        "тот, кто управляет сервером.",
    )
    BASE_ROLE_YES = ("Yes, {role} is everybody", "Да, {role} — это все")
    BASE_ROLE_SET = (
        "Done: what {role} can read counts as open here from now on.",
        "Готово: то, что видно {role}, теперь считается открытым.",
    )
    BASE_ROLE_GONE = (
        "That role is no longer there, so nothing was changed.",
        "Этой роли больше нет, поэтому ничего не изменено.",
    )
    ONLY_MANAGERS = (
        "Only somebody with Manage Server can decide that; nothing was changed.",
        "Это решает только тот, у кого есть право «Управлять сервером»; ничего не изменено.",
    )
    DATABASE_AWAY = (
        "I cannot reach my memory right now, so nothing was changed. Please try again in a minute.",
        "Сейчас память недоступна, поэтому ничего не изменено. Попробуйте через минуту.",
    )
    KEY_REFUSED = (
        "The model {model} refuses my key, or does not exist. Until that is mended I answer without it. "
        "`keepsake doctor` says more.",
        "Модель {model} не принимает мой ключ или не существует. Пока это не исправлено, ответы идут без неё. "
        "Подробнее скажет `keepsake doctor`.",
    )
    QUOTA_GONE = (
        "What may be asked of the model {model} is used up for now. Until it turns I answer without it.",
        "Лимит обращений к модели {model} пока исчерпан. До его обновления ответы идут без неё.",
    )
    PERMISSION_LOST = (
        "On the server {guild} I can no longer read or write in: {channels}. I need View Channel, Read Message "
        "History and Send Messages there.",
        "На сервере {guild} мне больше нельзя читать или писать здесь: {channels}. Там нужны права «Просматривать "
        "канал», «Читать историю сообщений» и «Отправлять сообщения».",
    )
    DISK_FULL = (
        "Only {share} % of the disk that holds {folder} is free. A full disk stops the database: make room.",
        "На диске, где лежит {folder}, свободно лишь {share} %. Полный диск остановит базу данных: освободите "
        "место.",
    )
    SERVICE_FAILS = (
        "A part of me fails: {service} ({error}, {failures} times so far). It is started again and again, and my log "
        "says where it fails. `keepsake doctor` shows whether it still does.",
        "Одна из моих частей даёт сбой: {service} ({error}, раз: {failures}). Она снова и снова запускается, а в "
        "журнале записано, где сбой. Продолжается ли он, покажет `keepsake doctor`.",
    )
    CLOCK_OFF = (
        "The clock of the machine that I run on shows {ours}, but by Discord or the database server it is {theirs} "
        "(UTC). Until they agree I remove nothing for its age. Set the clock by the network (NTP); `keepsake doctor` "
        "says more.",
        "Часы машины, на которой я работаю, показывают {ours}, а у Discord или сервера базы данных сейчас {theirs} "
        "(UTC). Пока они не сойдутся, по сроку хранения ничего не удаляется. Настройте часы по сети (NTP); подробнее "
        "скажет `keepsake doctor`.",
    )
    NOTES_WAIT = (
        "On the server {guild} a member had all that was kept of them erased. Notes of others about them in closed "
        "channels wait for somebody who may manage it: /memory waiting.",
        "На сервере {guild} участник стёр всё, что о нём хранилось. Заметки других людей о нём в закрытых каналах ждут "
        "решения управляющих: /memory waiting.",
    )
    ANSWERS_UNSENT = (
        "Answers that I had written were not sent for more than {minutes} minutes: {count}. I send them again now. If "
        "none arrive, look at the log, and restart me.",
        "Ответы были написаны, но не отправлены дольше {minutes} мин.: {count}. Сейчас они отправляются снова. Если ни "
        "один не появится, посмотрите журнал и перезапустите бота.",
    )
    UNDO = ("Undo", "Отменить")
    REST_OF_ANSWER = ("answer.md", "ответ.md")


_MOST_NAMES: Final = 10


def language_of(locale: discord.Locale) -> Language:
    """Return the language in which a guild or a client of this locale is spoken to."""
    return Language.RUSSIAN if locale is discord.Locale.russian else Language.ENGLISH


def listed(names: Iterable[str], *, most: int = _MOST_NAMES) -> str:
    """Return names as one line, `most` at most and then how many more there are."""
    every = list(names)
    shown = ", ".join(every[:most])
    return f"{shown} (+{len(every) - most})" if len(every) > most else shown


class OwnCommandText(Catalogue):
    """Names of commands and options, what is told about them, and labels."""

    OFF = ("off", "выкл")
    OFF_WHAT = (
        "From now on nothing of you is kept; you are still answered",
        "Больше ничего о вас не сохранять; отвечать вам буду по-прежнему",
    )
    ON = ("on", "вкл")
    ON_WHAT = ("What you say may be kept (again)", "Можно (снова) сохранять сказанное вами")

    PRIVATE = ("private", "приватность")
    PRIVATE_WHAT = ("Whether others are told nothing about you", "Ничего ли не рассказывать о вас другим")
    STATE = ("state", "состояние")
    STATE_WHAT = ("On without it", "Без этого — включить")

    CATEGORIES = ("categories", "виды")
    CATEGORIES_WHAT = (
        "Which kinds of memory are kept of you, and for how long",
        "Какие виды записей о вас хранить и как долго",
    )
    CATEGORY = ("category", "вид")
    CATEGORY_WHAT = ("The kind of memory", "Вид записей")
    KEEP = ("keep", "хранить")
    KEEP_WHAT = ("Whether it is kept", "Хранить ли его")
    DAYS = ("days", "дней")
    DAYS_WHAT = ("After so many days it goes", "Через столько дней он исчезает")
    WHICH_CATEGORY = (
        "Please choose also which kind of memory you mean; nothing was changed.",
        "Выберите ещё, о каком виде записей речь; ничего не изменено.",
    )

    EXPORT = ("export", "выгрузка")
    EXPORT_WHAT = ("A file with all that is kept about you", "Файл со всем, что о вас хранится")

    ERASE = ("erase", "стереть")
    ERASE_WHAT = (
        "Erase all that is kept about you, for good",
        "Навсегда стереть всё, что о вас хранится",
    )
    ERASE_BUTTON = ("Erase what there is…", "Стереть и прежнее…")
    ERASE_FORM = ("Erase what is kept of you", "Стереть всё, что о вас хранится")
    ERASE_FIELD = ("From now on", "С этого момента")
    ERASE_AND_ON = ("Go on as before", "Продолжать как раньше")
    ERASE_AND_OFF = ("Keep nothing more of me", "Больше ничего обо мне не сохранять")

    PLACE = ("Choose a server…", "Выберите сервер…")

    WAITING = ("waiting", "ожидающее")
    WAITING_WHAT = (
        "Notes of others about erased members (for managers)",
        "Заметки других о стёртых участниках (для управляющих)",
    )
    WAITING_ERASE = ("Erase {number}", "Стереть {number}")
    WAITING_KEEP = ("Keep {number}", "Оставить {number}")


class SettingsText(Catalogue):
    """Options of `/memory settings` and the values that can be chosen for them."""

    FORGET_OTHERS = ("forget_others", "удаление_о_других")
    FORGET_OTHERS_WHAT = (
        "Who may have things told about others forgotten, beside themselves and moderators",
        "Кто, кроме них самих и модераторов, может удалять сказанное о других",
    )
    TELL_OTHERS = ("tell_others", "рассказы_о_других")
    TELL_OTHERS_WHAT = ("What members are told about others", "Что участникам рассказывают о других")
    CONSENT = ("consent", "согласие")
    CONSENT_WHAT = (
        "Whose words are kept: everybody’s but who opted out, or theirs alone who opted in",
        "Чьи слова сохраняются: всех, кроме отказавшихся, или только согласившихся",
    )
    HEARING = ("hearing", "слушать")
    HEARING_WHAT = ("Whether what is said on this server is kept", "Сохранять ли сказанное на этом сервере")
    LOG_CHANNEL = ("log_channel", "канал_отметок")
    LOG_CHANNEL_WHAT = (
        "Where it is noted that something about somebody else was removed",
        "Где отмечать, что удалено сказанное о других",
    )

    BY_TELLERS = ("who told it", "кто это рассказал")
    BY_MODERATORS = ("nobody else", "никто больше")
    TELL_SAID = ("what was said openly", "сказанное открыто")
    TELL_OPEN = ("all that is open", "всё открытое")
    TELL_MODERATORS = ("only moderators are told", "только модераторам")
    PRESUMED = ("everybody’s who did not opt out", "всех, кто не отказался")
    ASKED = ("theirs alone who opted in", "только тех, кто согласился")


class WelcomeText(Catalogue):
    """Labels and sentences."""

    ROLE = ("Base role…", "Основная роль…")
    TIME_ZONE = ("Time zone…", "Часовой пояс…")
    RETENTION = ("Keep messages for…", "Сколько хранить…")
    CHANNELS = ("Leave channels out…", "Исключить каналы…")
    PAST = ("Read the last 7 days", "Прочитать последние 7 дней")

    CHOOSE_ROLE = (
        "What this role can read counts as open to all members; @everyone if you choose none.",
        "То, что видно этой роли, считается открытым для всех участников; без выбора это @everyone.",
    )
    CHOOSE_CHANNELS = (
        "Nothing that is said in the channels that you choose is kept. Those chosen here are left out now.",
        "Сказанное в выбранных каналах не сохраняется. Отмеченные здесь исключены уже сейчас.",
    )
    ROLE_PLACEHOLDER = ("Choose a role", "Выберите роль")
    CHANNELS_PLACEHOLDER = ("Choose channels", "Выберите каналы")
    TIME_ZONE_FIELD = ("Such as Europe/Berlin", "Например Europe/Moscow")
    RETENTION_FIELD = ("Days; 0 for ever", "Дней; 0 — бессрочно")
    READING = (
        "I am reading what was said in the last 7 days. It is kept like all else, and nothing of it is answered.",
        "Читаю сказанное за последние 7 дней. Оно хранится как всё остальное, и ответов на него не будет.",
    )
    READING_ALREADY = (
        "I am reading the last days already, please wait.",
        "Последние дни уже читаются, подождите.",
    )
    PAST_READ = (
        "Done. New messages: {new}; known before: {known}; channels with any: {channels}.",
        "Готово. Новых сообщений: {new}; известных раньше: {known}; каналов с ними: {channels}.",
    )
    PAST_FAILED = (
        "Not all could be read: press the button again later to go on.",
        "Прочитать удалось не всё: нажмите кнопку позже, чтобы продолжить.",
    )


class ForgottenText(Catalogue):
    """Labels, of 80 characters at most."""

    DETAILS = ("Details", "Подробнее")
    DELETE_OWN = ("Delete my messages that told it", "Удалить мои сообщения об этом")


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


def localized(text: Catalogue) -> app_commands.locale_str:
    """Return a name or a description as the library takes it, with its Russian beside it."""
    english, russian = text.value
    return app_commands.locale_str(english, russian=russian)
