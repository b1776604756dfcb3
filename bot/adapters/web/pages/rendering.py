"""Renders pages from templates that escape all values, and parses the requests of pages."""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bot.adapters.web.entering import COOKIE, check_change, let_in
from bot.adapters.web.models import SettingEntry
from bot.adapters.web.parts import WebParts
from bot.core.errors import DatabaseUnavailableError, InvalidInputError
from bot.llm.framing import mentioned_in
from bot.memory.members.subjects import rendered
from bot.memory.rights.access.access import Operator, csrf_token_of
from bot.memory.rights.access.records import AccessScope

LOGIN: Final = "/login"

CSRF_FIELD: Final = "csrf"
"""The field of every form that changes something."""

_MOST_FIELDS: Final = 100

_NOTICES: Final[Mapping[str, str]] = {
    "fact": "The fact is forgotten, with all that says it. It will not be learned again.",
    "memory": "The memory is deleted.",
    "memories": "All memories of the channel are deleted.",
    "settings": "The settings are changed.",
    "revealed": "What is closed is shown to you for 15 minutes, and your reason is noted.",
}
"""What a page says after something was done, by the word that its address then has."""


def _moment(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _spoken(name: str) -> str:
    return name.replace("_", " ")


_TEMPLATES: Final = Environment(
    loader=PackageLoader("bot.adapters.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters |= {"moment": _moment, "spoken": _spoken, "named": rendered}


def page(
    request: Request,
    template: str,
    *,
    asking: Operator | None = None,
    status: int = 200,
    **values: object,
) -> HTMLResponse:
    """Return the page that a template makes of `values`, for an operator or for somebody who is not logged in."""
    secret = request.cookies.get(COOKIE, "")
    made = _TEMPLATES.get_template(template).render(
        asking=asking,
        can_write=asking is not None and asking.scope is AccessScope.WRITE,
        csrf=csrf_token_of(secret) if asking is not None and asking.session is not None else "",
        notice=_NOTICES.get(request.query_params.get("done", "")),
        path=request.url.path,
        **values,
    )
    return HTMLResponse(made, status)


def done(address: str, what: str) -> RedirectResponse:
    """Return the way back to a page, which then says what was done: a key of the notices."""
    return RedirectResponse(f"{address}?done={what}", 303)


async def names_in(
    web: WebParts, guild_id: int, texts: Iterable[str], *, user_ids: Iterable[int] = ()
) -> Mapping[int, str]:
    """Return the names of the members whom these texts of a server mention, and of these members, by their ids."""
    wanted = {*user_ids, *(user_id for text in texts for user_id in mentioned_in(text))}
    return await web.keepsake.memory.inspecting.names(guild_id=guild_id, user_ids=sorted(wanted))


class PageRoute(APIRoute):
    """A route whose errors are pages too; requests without a login are redirected to one."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except HTTPException as error:
                if error.status_code == HTTPStatus.UNAUTHORIZED:
                    # One that has ended would count as a failed try with each page.
                    leading = RedirectResponse(LOGIN, 303)
                    leading.delete_cookie(COOKIE)
                    return leading
                refused = _error_page(request, error.status_code, error.detail)
                refused.headers.update(error.headers or {})
                return refused
            except RequestValidationError:
                return _error_page(request, 404, "there is no such page")
            except InvalidInputError as error:
                return _error_page(request, 422, str(error))
            except DatabaseUnavailableError:
                return _error_page(request, 503, "the database cannot be reached now: try again in a moment")

        return answered


def _error_page(request: Request, status: int, detail: str) -> HTMLResponse:
    return page(request, "error.html", status=status, title=HTTPStatus(status).phrase, detail=detail)


async def form_of(request: Request) -> Mapping[str, str]:
    """Return the fields of a form that was sent; of two with one name the last counts. Raises `InvalidInputError`."""
    body = (await request.body()).decode(errors="replace")
    try:
        fields = parse_qsl(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise InvalidInputError(f"a form has {_MOST_FIELDS} fields at most") from None
    # Browsers end the lines of a text in two characters.
    return {name: value.replace("\r\n", "\n") for name, value in fields}


@dataclass(frozen=True, slots=True)
class Submitted:
    """A form with who sent it, who may change something by it."""

    operator: Operator
    fields: Mapping[str, str]

    def field(self, name: str) -> str:
        """Return what stands in a field; "" if there is none."""
        return self.fields.get(name, "")


async def _submitted(request: Request) -> Submitted:
    operator = await let_in(request)
    fields = await form_of(request)
    check_change(request, operator, fields.get(CSRF_FIELD, ""))
    return Submitted(operator, fields)


Form: TypeAlias = Annotated[Submitted, Depends(_submitted)]
"""What a route that changes something takes."""


def changed_settings(form: Submitted, settings: list[SettingEntry]) -> dict[str, str]:
    """Return what of the settings is not as the form showed it, so that nothing that others changed is put back."""
    return {
        one.name: form.field(one.name)
        for one in settings
        if one.name in form.fields and form.field(one.name) != form.field(f"was.{one.name}")
    }
