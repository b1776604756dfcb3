"""What the bot says on Discord of its own accord, and its labels there: English first, then Russian."""

from collections.abc import Iterable
from typing import Final

import discord

from bot.conversation.texts import Catalogue
from bot.domain import Language


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
