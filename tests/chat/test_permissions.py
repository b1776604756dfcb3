"""The permission table: who may do what, by every way, under every setting; a model changes nothing about it."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

import pytest

from bot.app import Keepsake, assembled
from bot.chat.correcting import undo_answer
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.usecases import UseCase, UseCases, refusal
from bot.core.clock import SetClock
from bot.core.domain import (
    DisclosurePolicy,
    Fact,
    ForgettingOthers,
    Guild,
    Language,
    Message,
    RememberingOthers,
)
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.models import RETRY_LIMITS
from bot.llm.operation import Patience
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild, Told, member
from tests.chat.permission_table import (
    ABSENT,
    FOR_VISITORS,
    MODERATOR,
    SUBJECT,
    TELLER,
    VISITOR,
    Case,
    cases,
)
from tests.chat.usecases.visits import desk_of, visit
from tests.patience import pace_for
from tests.servers.asked import Asked
from tests.servers.base import Reply, ToolCall
from tests.servers.gemini import GeminiServer


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("judge_note", {"verdict": "fine"})
        yield server


@pytest.fixture
async def keepsake(
    database: Database,
    clock: SetClock,
    gemini: GeminiServer,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    request: pytest.FixtureRequest,
) -> AsyncIterator[Keepsake]:
    if way != "tool":
        async with assembled(Settings(_env_file=None), clock, database) as keepsake:
            yield keepsake
        return
    monkeypatch.setitem(RETRY_LIMITS, Patience.FOREGROUND, pace_for(request))
    settings = Settings(
        _env_file=None,
        gemini_api_key="key",
        gemini_base_url=gemini.url,
        model_chat="gemini-flash-latest",
        model_memory="gemini-flash-lite-latest",
        learning=False,
        episodes=False,
    )
    async with assembled(settings, clock, database) as keepsake:
        yield keepsake


@pytest.fixture
async def guild(keepsake: Keepsake, clock: SetClock) -> TalkingGuild:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members([member(name) for name in NAMES])
    await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=NAMES[ABSENT])
    return TalkingGuild(keepsake, clock)


@dataclass
class Trial:
    """Does what a case says, each time to a fact of its own."""

    guild: TalkingGuild
    gemini: GeminiServer
    database: Database
    case: Case
    word: str

    async def is_done(self) -> bool:
        """Do it, and tell whether it came about."""
        await self.set_up()
        match self.case.what:
            case "remember" | "remember-absent":
                await self.remember(ABSENT if self.case.what == "remember-absent" else SUBJECT)
                return await self.cleared()
            case "settings":
                return await self.changes_settings()
            case "count-own":
                told = (await desk_of(self.guild).stats(self.visit())).text
                return told.startswith(("What I keep of you", "I keep nothing of you"))
            case "count-guild":
                return "Messages" in (await desk_of(self.guild).guild_stats(self.visit())).text
            case "see":
                return self.word in await self.told()
            case _:
                return await self.removes()

    async def set_up(self) -> None:
        now = await self.guild.keepsake.directory.guild(GUILD_ID)
        assert now is not None
        new = Guild(guild_id=GUILD_ID, name="Test")
        match self.case.setting:
            case "remember_others":
                new = replace(new, remembering_others=RememberingOthers(self.case.value))
            case "forget_others":
                new = replace(new, forgetting_others=ForgettingOthers(self.case.value))
            case _:
                new = replace(new, telling_others=DisclosurePolicy(self.case.value))
        await self.guild.keepsake.directory.change_guild(now, new)

    async def remember(self, about: str) -> None:
        """Have the actor remember something about a member."""
        match self.case.way:
            case "words":
                await self.say(f"Bot, remember that {about} likes {self.word}")
            case "desk":
                await desk_of(self.guild).remember(self.visit(), NAMES[about], f"likes {self.word}")
            case "menu":
                await self.guild.say(about, f"we keep {self.word} in the shed")
                assert self.guild.last is not None
                await desk_of(self.guild).remember_message(self.visit(), self.guild.last.message_id)
            case "tool":
                said = "I like" if self.case.actor == about else f"{about} likes"
                self.gemini.answer("reply", [self.keeps(about), {"text": "Good."}])
                await self.say(f"Bot, {said} {self.word}")

    def keeps(self, about: str) -> Reply:
        """Return what a model calls that wants to keep it, with the short id that the prompt gave."""

        def call(asked: Asked) -> Reply:
            short = "u1" if self.case.actor == about else short_id(about, asked.prompt)
            arguments: dict[str, object] = {
                "operation": "add_fact",
                "text": f"@{short} likes {self.word}",
                "about": "" if short == "u1" else short,
            }
            return ToolCall("manage_memory", arguments)

        return call

    async def removes(self) -> bool:
        """Let the teller tell it, then the actor act on it; tell whether it is gone."""
        told = await self.tell()
        (fact,) = await self.standing()
        await self.act(fact, told)
        return not await self.cleared()

    async def tell(self) -> "Telling":
        if (self.case.what, self.case.way) == ("undo", "desk"):
            here = visit(self.guild, TELLER)
            said = await desk_of(self.guild).remember(here, NAMES[SUBJECT], f"likes {self.word}")
            return Telling(undo_ids=said.undo_ids, interaction_id=here.interaction_id)
        await self.guild.say(TELLER, f"Bot, remember that {SUBJECT} likes {self.word}")
        return Telling(command=self.guild.last, confirmation=self.guild.answer)

    async def act(self, fact: Fact, told: "Telling") -> None:
        use_cases, case = desk_of(self.guild), self.case
        match case.what, case.way:
            case "correct", "words":
                await self.say(f"Bot, no, I said {self.word[::-1]}", reply_to=told.confirmation)
            case "take-back", "words":
                await self.say("Bot, scratch that", reply_to=told.confirmation)
            case "forget", "words":
                await self.say(f"Bot, forget that {SUBJECT} likes {self.word}")
            case "forget-this", "words":
                await self.say("Bot, forget this", reply_to=told.confirmation)
            case "forget-all", "words":
                await self.say(f"Bot, forget everything about {SUBJECT}")
                await self.say("yes")
            case "forget", "desk":
                await use_cases.forget(self.visit(), fact.fact_id)
            case "forget", "menu":
                assert told.command is not None
                await use_cases.forget_message(self.visit(), told.command.message_id)
            case "set-aside", "tool":
                own = case.actor == SUBJECT
                text = f"{'@u1' if own else SUBJECT} likes {self.word}"
                ends = ToolCall("manage_memory", {"operation": "deactivate_fact", "text": text})
                self.gemini.answer("reply", [ends, {"text": "Good."}])
                whose = "I gave up" if own else f"{SUBJECT} gave up"
                await self.say(f"Bot, and {self.word}? Well, {whose} {self.word} since it is no fun any more")
            case "undo", "button":
                assert told.command is not None
                await undo_answer(
                    self.guild.keepsake.use_cases,
                    guild_id=GUILD_ID,
                    channel_id=told.command.channel_id,
                    message_id=told.command.message_id,
                    user_id=NAMES[case.actor],
                    from_moderator=case.actor == MODERATOR,
                    language=Language.ENGLISH,
                )
            case "undo", "desk":
                asked_in = told.interaction_id if case.actor == TELLER else None
                await use_cases.undo(self.visit(), told.undo_ids, asked_in=asked_in)
            case "disown", "desk":
                await use_cases.disown(self.visit(), fact.fact_id)
            case _:
                raise AssertionError(f"nobody knows how to {case.what} by {case.way}")

    async def changes_settings(self) -> bool:
        await desk_of(self.guild).change(self.visit(), "persona", self.word)
        now = await self.guild.keepsake.directory.guild(GUILD_ID)
        return now is not None and now.persona == self.word

    async def told(self) -> str:
        """Let the teller tell it, and return what the actor is told about whom it is about."""
        await self.guild.say(TELLER, f"Bot, remember that {SUBJECT} likes {self.word}")
        if self.case.way == "desk":
            shown = await desk_of(self.guild).show(self.visit(), NAMES[SUBJECT])
            told = "\n".join([shown.title, *(line.text for line in shown.lines), shown.lately])
        else:
            told = await self.say(f"Bot, what do you know about {SUBJECT}?") or ""
        await self.cleared()
        return told

    async def cleared(self) -> bool:
        """Tell whether it is kept, and keep it no longer: no case meets what another left."""
        kept = [fact.fact_id for fact in await self.standing()]
        await self.guild.keepsake.memory.take_back(guild_id=GUILD_ID, fact_ids=kept)
        return bool(kept)

    async def say(self, text: str, *, reply_to: Message | None = None) -> str | None:
        actor = self.case.actor
        rights: Told = {"from_moderator": actor == MODERATOR, "visitor": actor == VISITOR, "paced": False}
        return await self.guild.say(actor, text, reply_to=reply_to, **rights)

    def visit(self) -> RequestContext:
        actor = self.case.actor
        here = visit(self.guild, actor)
        return replace(here, from_moderator=actor == MODERATOR, visitor=actor == VISITOR)

    async def standing(self) -> Sequence[Fact]:
        """Return the facts that hold and that somebody asked to have kept with the word of this case."""
        ids = await self.database.read(
            lambda connection: connection.fetch(
                """
                SELECT fact_id FROM facts
                WHERE status = 'active' AND origin IN ('command', 'tool') AND content LIKE '%' || $1 || '%'
                """,
                self.word,
            )
        )
        return await self.guild.keepsake.memory.facts_with_ids(
            guild_id=GUILD_ID, fact_ids=[row["fact_id"] for row in ids]
        )


@dataclass(frozen=True, kw_only=True)
class Telling:
    """How the teller told it."""

    command: Message | None = None
    confirmation: Message | None = None
    undo_ids: tuple[int, ...] = ()
    interaction_id: int | None = None


def short_id(name: str, prompt: str) -> str:
    """Return the short id under which a prompt speaks of a member."""
    found = re.search(rf'id="(u\d+)" name="{name}"', prompt)
    assert found is not None, f"{name} is not in the prompt"
    return found[1]


def word_for(number: int) -> str:
    """Return a word of its own for each case, with no other inside it."""
    letters = "bcdfghjklm"
    return "z" + "".join(f"{letters[int(digit)]}o" for digit in f"{number:03}") + "x"


@pytest.mark.parametrize("way", ["words", "desk", "menu", "tool", "button"])
async def test_everybody_may_do_what_the_table_says_and_nothing_else(
    guild: TalkingGuild, gemini: GeminiServer, database: Database, way: str
) -> None:
    wrong = []
    for number, case in enumerate(cases()):
        if case.way == way:
            trial = Trial(guild, gemini, database, case, word_for(number))
            if await trial.is_done() is not case.may:
                wrong.append(case)
    assert wrong == []


def test_the_table_has_every_kind_of_row() -> None:
    table = list(cases())
    assert len(table) >= 100
    for one in ("what", "way", "actor", "value"):
        assert len({getattr(case, one) for case in table}) >= 5


@pytest.mark.parametrize("way", ["desk"])
async def test_by_form_everybody_is_refused_whom_the_entry_does_not_name(guild: TalkingGuild) -> None:
    entries = {name: one for name, one in vars(UseCases).items() if isinstance(one, UseCase)}
    assert {name for name, one in entries.items() if not one.who} == FOR_VISITORS
    member = visit(guild, VISITOR)
    for here in (
        member,
        replace(member, visitor=True),
        replace(member, from_moderator=True),
        replace(member, from_manager=True, direct=True),
    ):
        for name, entry in entries.items():
            if (told := refusal(entry.who, here)) and entry.refused is not None:
                # Without arguments: nothing is carried out for those who may not.
                assert await getattr(desk_of(guild), name)(here) == entry.refused(told)
