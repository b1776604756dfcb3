"""What is said instead of doing what is not the author's to do, or what is kept about nobody on another's word."""

from bot.choices import ForgettingOthers
from bot.conversation.texts import Catalogue, Text, say
from bot.domain import Guild, Language


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


def not_yours(guild: Guild | None, language: Language, by_tellers: Catalogue = RefusalText.NOT_YOURS) -> str:
    """Return what is said to who may not have changed or removed what is known: who may, in this guild.

    `by_tellers` is the sentence where whoever told something about others may, as they may in a new guild.
    """
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    return say(by_tellers if tellers_may else RefusalText.NOT_YOURS_HERE, language)


def not_yours_to_undo(guild: Guild | None, language: Language) -> str:
    """Return what is said to who may not take back a write."""
    return not_yours(guild, language, Text.NOT_YOURS_TO_UNDO)


def is_not_yours(text: str) -> bool:
    """Tell whether `text` says that something is not its asker's to change, in whatever language."""
    ours = (RefusalText.NOT_YOURS, Text.NOT_YOURS_TO_UNDO, RefusalText.NOT_YOURS_HERE)
    return any(text in one.value for one in ours)
