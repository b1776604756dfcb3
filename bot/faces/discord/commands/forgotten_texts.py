"""Labels of the buttons under a forgetting: English first, then Russian."""

from bot.conversation.texts import Catalogue


class ForgottenText(Catalogue):
    """Labels, of 80 characters at most."""

    DETAILS = ("Details", "Подробнее")
    DELETE_OWN = ("Delete my messages that told it", "Удалить мои сообщения об этом")
