"""Names and descriptions of the settings on Discord that say who may do what: English first, then Russian."""

from bot.conversation.texts import Catalogue


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
