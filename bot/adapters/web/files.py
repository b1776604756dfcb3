"""Files as responses: streamed while they are written, and never held in memory as a whole."""

from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.responses import StreamingResponse

_MEDIA_TYPE: Final = "application/json"

JSON_FILE: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "A file in JSON; one without `counts` at its end was cut off",
        "content": {_MEDIA_TYPE: {"schema": {"type": "object"}}},
    }
}
"""What a route that answers with a file says of it in the OpenAPI document."""


def json_file(pieces: AsyncIterator[bytes], name: str) -> StreamingResponse:
    """Return the answer that is the file `name`, made of these pieces."""
    return StreamingResponse(
        pieces, media_type=_MEDIA_TYPE, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
