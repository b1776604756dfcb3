"""A tool: something that a model may have done before it answers, and whose result it reads."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import BaseModel, Field, ValidationError

MOST_ROUNDS: Final = 5
"""Requests of one call with tools, the answer included: whoever waits must get one."""

_ERRORS_TOLD: Final = 5

InputT = TypeVar("InputT", bound=BaseModel)


class WrongInput(BaseModel):
    """What a tool returns for an input that it cannot take."""

    done: bool
    problem: str = Field(description="what is wrong, and what is allowed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as a model is offered it; made by `tool`."""

    name: str
    description: str
    schema: Mapping[str, object]
    """The JSON schema of its input."""
    use: Callable[[Mapping[str, object]], Awaitable[BaseModel]]
    """Takes whatever a model sent; what does not fit comes back as `WrongInput`."""


def tool(
    name: str,
    *,
    description: str,
    takes: type[InputT],
    use: Callable[[InputT], Awaitable[BaseModel]],
) -> Tool:
    """Return a tool whose input is checked against the model `takes` before `use` gets it.

    What `use` raises ends the call of the model; whatever a model can mend it returns.
    """

    async def checked(given: Mapping[str, object]) -> BaseModel:
        try:
            wanted = takes.model_validate(given)
        except ValidationError as error:
            return WrongInput(done=False, problem=what_is_wrong(error))
        return await use(wanted)

    return Tool(name=name, description=description, schema=takes.model_json_schema(), use=checked)


def what_is_wrong(error: ValidationError) -> str:
    """Return what does not fit, in few words and without the values: more would confuse a small model."""
    found = error.errors(include_url=False, include_input=False)[:_ERRORS_TOLD]
    return "; ".join(": ".join(filter(None, [".".join(map(str, one["loc"])), one["msg"]])) for one in found)
