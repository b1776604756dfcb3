"""A tool that puts cities on a shelf, and what is asked with it."""

from dataclasses import dataclass, field

from pydantic import BaseModel

from bot.llm.calling import AgentCaller
from bot.llm.chain import ModelName
from bot.llm.operation import Question, Role, Tool, tool
from tests.llm.questions import PROMPT, admit_all, question

CITY = PROMPT.splitlines()[0]
WITH_TOOLS = f"{PROMPT}You may keep a city.\n"


class Keep(BaseModel):
    city: str
    note: str = ""


class Kept(BaseModel):
    done: bool
    city: str


@dataclass
class Shelf:
    """What a tool put somewhere, each thing once."""

    kept: list[str] = field(default_factory=list)
    calls: list[Keep] = field(default_factory=list)

    def tool(self) -> Tool:
        return tool("keep", description="Keeps a city.", takes=Keep, use=self._keep)

    async def _keep(self, wanted: Keep) -> Kept:
        self.calls.append(wanted)
        if wanted.city not in self.kept:
            self.kept.append(wanted.city)
        return Kept(done=True, city=wanted.city)


class Said(BaseModel):
    name: str


def with_tools(shelf: Shelf, *, role: Role = Role.CHAT) -> Question[Said]:
    return Question(
        operation="find_a_city",
        role=role,
        prompt=PROMPT,
        answer=Said,
        is_text=True,
        asker=question().asker,
        tools=(shelf.tool(),),
        prompt_with_tools=WITH_TOOLS,
    )


async def ask(caller: AgentCaller, model: ModelName, asked: Question[Said]) -> str:
    return (await caller.call(model, asked, timeout_seconds=60, admit=admit_all)).value.name
