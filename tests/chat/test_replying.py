"""The chat reply: what it reads, how long it waits, and what becomes of a model's words."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

import pytest
from pydantic import BaseModel

from bot.app import Keepsake
from bot.chat.gathering import gather
from bot.chat.participants import MOST_MEMBERS
from bot.chat.prompting.prompt import LONGEST_REPLY, REPLY, ReplyGiven, ReplyText, answer_of
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import OPEN, Channel, Guild, Member
from bot.core.errors import DatabaseUnavailableError, ModelError
from bot.llm.operation import ModelAnswer, Operations, Question, Role
from bot.memory.members import subjects
from bot.memory.policy.permissions import ReadScope
from tests.chat.guild import BOT_ID, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild
from tests.chat.scenes import ALICE, SASHA, saying, scene

AnswerT = TypeVar("AnswerT", bound=BaseModel)


async def turn_of(guild: TalkingGuild, text: str, *, channel_id: int = GENERAL, by: str = "bob") -> Turn:
    """Say something to the bot and return the turn in which it would be answered."""
    await guild.hear(by, text, channel_id=channel_id)
    assert guild.last is not None
    directory = guild.keepsake.directory
    view = await directory.view(
        guild_id=GUILD_ID, channel_audience=guild.last.audience, user_id=guild.last.user_id
    )
    known = directory.known(view)
    await known.meet(text, user_ids=[guild.last.user_id])
    return Turn(
        message=guild.last,
        text=text,
        bot_id=BOT_ID,
        bot_names=("Keepsake",),
        known=known,
        set_aside=frozenset(),
        view=view,
        time_zone="Europe/Berlin",
        from_moderator=False,
        direct=False,
        replied_to=None,
        persona="A librarian.",
    )


async def read(guild: TalkingGuild, turn: Turn, seconds: float = 30.0) -> ReplyGiven:
    keepsake = guild.keepsake
    return await gather(
        turn,
        MemoryAccess(keepsake.memory, keepsake.directory, keepsake.library),
        now=guild.clock.now(),
        seconds=seconds,
    )


def about(given: ReplyGiven, name: str) -> list[str]:
    return [
        fact.content
        for known in given.scene.members
        if known.member.user_id == NAMES[name]
        for fact in known.facts
    ]


async def test_a_reply_reads_who_takes_part_what_they_said_and_what_is_known(guild: TalkingGuild) -> None:
    await guild.keepsake.directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"))
    await guild.say("alice", "Bot, remember that gruzilkin is Sergey")
    await guild.say("alice", "Bot, remember that my name is Alicia")
    await guild.say("alice", "Bot, remember that the wifi is called KeepOut")
    await guild.say("alice", "what a morning")
    await guild.say("florent", "hi all")
    turn = await turn_of(guild, "what would Sergey say to Маше?")
    given = await read(guild, turn)
    who = [known.member.user_id for known in given.scene.members]
    assert who[0] == NAMES["bob"]
    assert set(who) == {NAMES[name] for name in ("bob", "gruzilkin", "Маша", "florent", "alice")}
    assert about(given, "gruzilkin") == [f"<@{NAMES['gruzilkin']}> is Sergey"]
    assert [known.given_name for known in given.scene.members if known.given_name] == ["Alicia"]
    assert [fact.content for fact in given.scene.server_facts] == ["the wifi is called KeepOut"]
    assert given.scene.messages[-1].text == "hi all"
    assert given.scene.channel_name == "general"
    assert "Sergey" in REPLY.prompt(given)


async def test_a_name_that_others_give_somebody_is_not_the_name_they_gave(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my name is Alicia")
    await guild.say("alice", "Bot, remember that bob's name is Muppet")
    given = await read(guild, await turn_of(guild, "hello you"))
    assert {known.given_name for known in given.scene.members} == {"", "Alicia"}


@pytest.mark.smoke
async def test_what_was_said_in_a_closed_room_is_in_no_prompt_elsewhere(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pepper", channel_id=MODS)
    whispered = guild.last
    await guild.say("alice", "Bot, remember that I like salt")
    turn = await turn_of(guild, "what does alice like")
    assert "pepper" not in REPLY.prompt(await read(guild, turn))
    assert "salt" in REPLY.prompt(await read(guild, turn))
    closed = await turn_of(guild, "what does alice like", channel_id=MODS)
    assert "pepper" in REPLY.prompt(await read(guild, closed))
    # The room was closed when it was said there, and is open by now: what was said stays closed.
    opened = replace(closed, view=ReadScope(guild_id=GUILD_ID, audiences=(OPEN,)))
    assert "pepper" not in REPLY.prompt(await read(guild, replace(opened, replied_to=whispered)))


async def test_what_was_found_comes_with_the_talk_around_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "shall we vote on the colour of the Zorilla shed?")
    await guild.say("florent", "blue it is")
    await guild.say("alice", "the secret one is red", channel_id=MODS)
    guild.clock.advance(timedelta(days=3))
    for number in range(30):
        await guild.say("florent", f"line {number} of small talk")
    turn = await turn_of(guild, "which colour did the Zorilla shed get?")
    told = REPLY.prompt(await read(guild, turn)).partition("<recalled>")[2].partition("</recalled>")[0]
    assert "colour of the Zorilla shed?" in told
    assert "blue it is" in told, "an answer seldom repeats the words of its question"
    assert "red" not in told


async def test_what_the_author_of_a_find_said_besides_is_told_though_it_shares_no_word(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "I am the treasurer, send the receipts to me")
    guild.clock.advance(timedelta(days=3))
    await guild.say("alice", "I gave the purse away to florent, too much work")
    guild.clock.advance(timedelta(days=3))
    for number in range(30):
        await guild.say("florent", f"line {number} of small talk")
    given = await read(guild, await turn_of(guild, "who gets my receipts?"))
    told = [hit.text for hit in given.scene.recalled]
    assert "I am the treasurer, send the receipts to me" in told
    assert "I gave the purse away to florent, too much work" in told


async def test_what_was_replaced_since_is_marked_where_it_was_said(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I live in Paris")
    await guild.say("alice", "Bot, remember that I live in Lyon")
    given = await read(guild, await turn_of(guild, "where does alice live?", by="alice"))
    message_ids = {hit.hit_id: hit.text for hit in given.scene.recalled if "Paris" in hit.text}
    assert set(message_ids) <= given.scene.replaced
    known = REPLY.prompt(given).partition("<members>")[2].partition("</members>")[0]
    assert "lives in Lyon" in known
    assert "lives in Paris" not in known


async def test_what_is_merely_implied_about_who_asks_and_who_is_named_is_given_to_the_full(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that I hate red wine")
    await guild.say("bob", "Bot, remember that I own a red kayak")
    await guild.say("florent", "Bot, remember that I collect old stamps")
    await guild.say("florent", "hm")
    given = await read(guild, await turn_of(guild, "what do I cook for alice tonight?"))
    known = REPLY.prompt(given).partition("<members>")[2].partition("</members>")[0]
    assert "red wine" in known
    assert "red kayak" in known
    close = {known.member.user_id for known in given.scene.members if known.is_close}
    assert close == {NAMES["bob"], NAMES["alice"]}


async def test_a_possessive_adjective_means_whose_it_is(guild: TalkingGuild) -> None:
    await guild.say("florent", "hm")
    given = await read(guild, await turn_of(guild, "что подарить Машиному брату?"))
    assert {one.member.user_id for one in given.scene.members if one.is_close} == {
        NAMES["bob"],
        NAMES["Маша"],
    }


async def never(*_: object, **__: object) -> None:
    await asyncio.Event().wait()


async def away(*_: object, **__: object) -> None:
    raise DatabaseUnavailableError("away")


def access(keepsake: Keepsake) -> list[tuple[object, str]]:
    """Return what a reply reads, by who reads it and the name of the read."""
    memory = keepsake.memory
    return [
        (memory.rolling, "window"),
        (memory, "relevant"),
        (memory, "get_memories_of"),
        (memory.profiles, "of"),
        (memory.places, "of"),
        (memory.episodes, "of_channel"),
        (memory, "recall"),
        (keepsake.directory, "private_members_and_channel_names"),
    ]


async def test_what_is_late_or_fails_is_missing_alone(
    guild: TalkingGuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    await guild.keepsake.directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"))
    await guild.say("alice", "Bot, remember that I like salt")
    await guild.say("bob", "Bot, remember that I like pepper")
    await guild.say("alice", "the grinder is broken")
    turn = await turn_of(guild, "what about the pepper?")
    for reader, name in access(guild.keepsake):
        # The second is waited out: so long all others have.
        for broken, seconds in ((away, 30.0), (never, 1.5)):
            with monkeypatch.context() as patched:
                patched.setattr(reader, name, broken)
                scene = (await read(guild, turn, seconds)).scene
            assert scene.members[0].member.user_id == NAMES["bob"]
            assert bool(scene.messages) == (name != "window"), name
            assert bool(scene.members[0].facts) == (name != "relevant"), name
            is_named = name != "private_members_and_channel_names"
            assert scene.channel_name == ("general" if is_named else ""), name


async def test_without_a_database_the_question_is_all_there_is(
    guild: TalkingGuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await turn_of(guild, "what does alice like?")
    for reader, name in access(guild.keepsake):
        monkeypatch.setattr(reader, name, away)
    given = await read(guild, turn)
    assert given.scene.messages == ()
    assert "what does alice like?" in REPLY.prompt(given)


async def test_a_crowd_leaves_room_for_who_asks_and_who_is_meant(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    crowd = [
        Member(guild_id=GUILD_ID, user_id=500 + number, user_name=f"crowd{number}") for number in range(20)
    ]
    await keepsake.directory.put_members(crowd)
    turn = await turn_of(guild, " ".join(f"<@{member.user_id}>" for member in crowd) + " <@11>?")
    given = await read(guild, replace(turn, text="<@11>, what now?"))
    assert [known.member.user_id for known in given.scene.members[:2]] == [NAMES["bob"], NAMES["alice"]]
    assert len((await read(guild, turn)).scene.members) == MOST_MEMBERS


class Scripted:
    """Models that answer with words, checked as the real ones check, or that fail."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.asked: list[tuple[str, Role, float]] = []

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        self.asked.append((question.operation, question.role, question.deadline_seconds))
        value = question.answer.model_validate({"text": self.words})
        try:
            question.check(value)
        except ValueError as error:
            raise ModelError(str(error)) from error
        return ModelAnswer(value=value, model="chat:scripted", tokens=1)


async def replied(words: str, given: ReplyGiven | None = None) -> tuple[str, bool]:
    given = given or ReplyGiven(scene=scene())
    outcome = await Operations(Scripted(words)).run(REPLY, given)
    return outcome.value.text, outcome.degraded


async def test_a_reply_is_asked_of_the_chat_model_and_waits_twenty_seconds_at_most() -> None:
    models = Scripted("hi")
    outcome = await Operations(models).run(REPLY, ReplyGiven(scene=scene()))
    assert (outcome.value, outcome.degraded) == (ReplyText(text="hi"), False)
    assert models.asked == [("reply", Role.CHAT, 20.0)]


@pytest.mark.parametrize(
    "words",
    [
        "",
        " \n",
        "<messages>\nm7 you 18:21: hi\n</messages>",
        "hi </to_answer>",
        "<MEMBER id=1>",
        "ask @u9 about it",
        "x" * (LONGEST_REPLY + 1),
    ],
)
async def test_an_answer_that_cannot_be_sent_is_none(words: str) -> None:
    assert await replied(words) == ("", True)


@pytest.mark.parametrize("words", ["I <3 you", "use <b>bold</b>", "x < y and y > z", "x" * LONGEST_REPLY])
async def test_an_answer_with_harmless_signs_is_sent(words: str) -> None:
    assert await replied(words) == (words, False)


async def test_without_a_model_the_operation_says_nothing() -> None:
    outcome = await Operations().run(REPLY, ReplyGiven(scene=scene()))
    assert (outcome.value.text, outcome.degraded) == ("", False)


def test_short_ids_in_a_reply_become_the_members_that_they_stand_for() -> None:
    given = ReplyGiven(scene=scene())
    assert answer_of("@u1 and u3 did.", given) == f"<@{ALICE}> and <@{SASHA}> did."


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Alice did, so did Alicia.", f"<@{ALICE}> did, so did Alicia."),
        ("\\o/ won", "\\o/ won"),
        ("alice_77 is a user name", "alice_77 is a user name"),
        ("Keepsake: hello", "hello"),
        ("I &lt;3 R&amp;B", "I <3 R&B"),
        ("nobody knows", "nobody knows"),
    ],
)
def test_a_reply_reads_as_it_was_written_whatever_is_kept(said: str, kept: str) -> None:
    given = ReplyGiven(scene=scene())
    assert answer_of(said, given) == kept
    assert subjects.rendered(kept, given.scene.called) == kept.replace(f"<@{ALICE}>", "Alice")


def test_an_escape_that_was_asked_about_stays() -> None:
    assert answer_of("&lt; is the smaller sign", ReplyGiven(scene=saying("what is &lt;?"))).startswith("&lt;")


async def test_a_direct_message_has_no_channel_to_name(guild: TalkingGuild) -> None:
    await guild.keepsake.directory.add_guild(Guild(guild_id=5, name="", direct=True))
    turn = await turn_of(guild, "just us")
    given = await read(guild, replace(turn, message=replace(turn.message, guild_id=5, channel_id=5)))
    assert given.scene.channel_name == ""
    assert "a direct message" in REPLY.prompt(given)
