"""Names and sentences of the commands about one's own memory, as members see them: English first, then Russian."""

from bot.conversation.texts import Catalogue


class OwnName(Catalogue):
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
