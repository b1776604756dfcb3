"""Every error that Keepsake raises on purpose. The text of each is one sentence for people."""

from typing import Final


class KeepsakeError(Exception):
    """Root of the hierarchy; `exit_status` is what the process ends with when nobody caught it."""

    exit_status: int = 1


class SettingsError(KeepsakeError):
    """A setting has a value that cannot be used."""

    exit_status = 2


class InvalidInputError(KeepsakeError):
    """Somebody gave a value that cannot be used; the text names it and says what is allowed."""

    exit_status = 2


class EmptyFactError(InvalidInputError):
    """There is nothing to remember in what was said."""

    def __init__(self) -> None:
        super().__init__("there is nothing in that to remember")


class FactTooLongError(InvalidInputError):
    """A fact is longer than one memory may be."""

    def __init__(self, *, characters: int, allowed: int) -> None:
        super().__init__(f"that is {characters} characters long; one memory holds {allowed} at most")
        self.characters: Final = characters
        self.allowed: Final = allowed


class SecretFactError(InvalidInputError):
    """What is to be remembered holds a secret, such as a password or the number of a card."""

    def __init__(self) -> None:
        super().__init__(
            "that holds a secret such as a password or the number of a card: secrets are never kept"
        )


class AbsentSubjectError(InvalidInputError):
    """Nothing is kept about the member concerned: they opted out, or did not give the required consent."""

    def __init__(self, *, subject_id: int) -> None:
        super().__init__(f"nothing is kept about member {subject_id}: they did not allow it")
        self.subject_id: Final = subject_id


class CategorySwitchedOffError(InvalidInputError):
    """The subject keeps nothing of this category."""

    def __init__(self, *, subject_id: int, category: str) -> None:
        super().__init__(f"member {subject_id} keeps nothing of the category {category!r}")
        self.subject_id: Final = subject_id
        self.category: Final = category


class ExportTooLargeError(InvalidInputError):
    """What is kept about a member is more than one file may hold that is made in memory."""

    def __init__(self, *, allowed_bytes: int) -> None:
        super().__init__(f"the file would have more than the {allowed_bytes:,} bytes that are allowed")
        self.allowed_bytes: Final = allowed_bytes


class TranscriptError(InvalidInputError):
    """A line of a transcript cannot be read or carried out."""

    def __init__(self, line_number: int, reason: str) -> None:
        super().__init__(f"line {line_number}: {reason}")
        self.line_number: Final = line_number


class ArchiveError(InvalidInputError):
    """A file is no export that Keepsake can read."""


class DatabaseError(KeepsakeError):
    """The database cannot do what it was asked."""


class DatabaseUnavailableError(DatabaseError):
    """The database cannot be reached, or did not answer in time."""


class DatabaseTimeoutError(DatabaseUnavailableError):
    """The database took too long over what it was asked, which may be well or ill itself."""


class DatabaseVersionError(DatabaseError):
    """The server is too old, or the database was written by a newer Keepsake."""


class EmbeddedServerError(DatabaseError):
    """The embedded Postgres cannot be installed, started or stopped."""


class ForgottenMeanwhileError(KeepsakeError):
    """What an answer tells was forgotten while the answer was being found; another one may tell what is left."""


class ServiceEndedError(KeepsakeError):
    """A loop that runs as long as the process ended without an error."""


class OperationError(KeepsakeError):
    """An operation was defined wrongly: no fallback, no template, an unknown role."""


class ModelError(KeepsakeError):
    """No model gave a usable answer: refused, blocked, cut off, unreachable or over its quota."""


class ModelRefusedError(ModelError):
    """Every model refused to answer: asked the same again, they will refuse again."""


class ModelUnusableError(ModelError):
    """Every model answered or refused, and nothing of it could be used."""


class DiscordError(KeepsakeError):
    """Discord does not let the bot in; the text says what to do about it."""

    exit_status = 2


class ShardsTakenError(KeepsakeError):
    """Another process answers for the same shards: two would answer everything twice."""


class HistoryUnreadableError(KeepsakeError):
    """The history of a channel cannot be read now; what it lacks means nothing."""


class MembersUnknownError(KeepsakeError):
    """Discord did not tell which users are members now; who is missing in what it told may be one."""
