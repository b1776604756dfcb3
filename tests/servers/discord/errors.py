"""The errors that the REST API answers with, by Discord's codes."""

from aiohttp import web

from tests.servers.discord.bodies import with_body
from tests.servers.discord.state import Json

UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
UNKNOWN_GUILD = (404, 10004, "Unknown Guild")
UNKNOWN_MEMBER = (404, 10007, "Unknown Member")
UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
UNKNOWN_USER = (404, 10013, "Unknown User")
MISSING_ACCESS = (403, 50001, "Missing Access")
NOT_ITS_AUTHOR = (403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE = (400, 50006, "Cannot send an empty message")
REFUSES_DIRECT = (403, 50007, "Cannot send messages to this user")
MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
THREAD_ARCHIVED = (400, 50083, "Thread is archived")
NO_HISTORY_TO_REPLY = (400, 160002, "Cannot reply without permission to read message history")


class DiscordError(Exception):
    """A request that Discord refuses."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors


def invalid(field: str, kind: str, message: str) -> DiscordError:
    """Return the error for a field of the body, whose path is written with dots, that cannot be so."""
    errors: Json = {"_errors": [{"code": kind, "message": message}]}
    for step in reversed(field.split(".")):
        errors = {step: errors}
    return DiscordError(400, 50035, "Invalid Form Body", errors)


def response_to(error: DiscordError) -> web.Response:
    """Return how Discord puts `error`."""
    body: Json = {"message": error.message, "code": error.code}
    if error.errors is not None:
        body["errors"] = error.errors
    return with_body(body, status=error.status)
