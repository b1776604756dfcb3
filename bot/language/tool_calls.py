"""Tools as the library of the agents takes them."""

from collections.abc import Awaitable, Callable, Sequence

from pydantic_ai import Tool as AgentTool

from bot.language.tools import Tool


def callable_tools(tools: Sequence[Tool]) -> list[AgentTool[None]]:
    """Return `tools` for an agent; they check their input themselves, so that a model hears what is wrong."""
    return [
        AgentTool.from_schema(
            _call(tool), name=tool.name, description=tool.description, json_schema=dict(tool.schema)
        )
        for tool in tools
    ]


def _call(tool: Tool) -> Callable[..., Awaitable[dict[str, object]]]:
    async def call(**given: object) -> dict[str, object]:
        return (await tool.use(given)).model_dump(mode="json", exclude_defaults=True)

    return call
