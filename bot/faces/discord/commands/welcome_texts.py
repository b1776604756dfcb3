"""What is said with the buttons below the first message in a server: English first, then Russian."""

from bot.conversation.texts import Catalogue


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
