"""A small scene to reply in, made by hand: no database, so that prompts are compared byte for byte."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

from bot.chat.prompting.prompt import written
from bot.chat.prompting.scene import Scene, SceneMember, ScenePlace
from bot.core.domain import Episode, Fact, FactOrigin, Member, Message, MessageKind
from bot.memory.facts.relevance import Acquaintance
from bot.memory.recall.search import Hit, HitKind
from tests.memory import known
from tests.said import Said, lines_of, said_in

GUILD_ID, CHANNEL_ID, BOT_ID = 1_000, 2_000, 77
ALICE, BOB, SASHA, OTHER_SASHA, STRANGER = 10_001, 10_002, 10_003, 10_004, 10_005
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def member(user_id: int, user_name: str, *, nickname: str = "", aliases: tuple[str, ...] = ()) -> Member:
    return Member(guild_id=GUILD_ID, user_id=user_id, user_name=user_name, nickname=nickname, aliases=aliases)


def fact(
    subject_id: int,
    content: str,
    *,
    author_id: int | None = None,
    key: str = "note:1",
    value: str = "",
    days_ago: int = 1,
    origin: FactOrigin = FactOrigin.COMMAND,
    tentative: bool = False,
    holds_on: date | None = None,
) -> Fact:
    told = known.fact(
        1,
        content,
        subject_id=subject_id,
        author_id=subject_id if author_id is None else author_id,
        origin=origin,
    )
    return replace(
        told,
        guild_id=GUILD_ID,
        source_channel_id=CHANNEL_ID,
        key=key,
        value=value,
        said_at=NOON - timedelta(days=days_ago),
        tentative=tentative,
        holds_on=holds_on,
    )


def episode(number: int, content: str, *, days_ago: int) -> Episode:
    """Return what a conversation of the channel left behind so many days ago."""
    ended = NOON - timedelta(days=days_ago)
    return Episode(
        guild_id=GUILD_ID,
        episode_id=number,
        channel_id=CHANNEL_ID,
        audience=0,
        content=content,
        importance=5,
        tags=(),
        first_message_id=number,
        last_message_id=number,
        merged_from=(),
        created_at=ended,
        updated_at=ended,
    )


def hit(number: int, text: str, *, kind: HitKind = HitKind.MESSAGE, author_id: int = BOB) -> Hit:
    """Return something that was found in another channel."""
    return Hit(
        kind=kind,
        hit_id=number,
        channel_id=CHANNEL_ID + 1,
        message_id=number,
        author_id=author_id,
        subject_id=None,
        audience=0,
        said_at=NOON - timedelta(days=20),
        text=text,
        score=0.9,
    )


def message(
    number: int, user_id: int, text: str, *, reply_to: int | None = None, minutes_ago: int | None = None
) -> Message:
    """Return message `number`, said so many minutes before noon (by default 100 less its number)."""
    before = timedelta(minutes=100 - number if minutes_ago is None else minutes_ago)
    return Message(
        guild_id=GUILD_ID,
        channel_id=CHANNEL_ID,
        message_id=9_000_000_000_000_000_000 + number,
        user_id=user_id,
        text=text,
        timestamp=NOON - before,
        kind=MessageKind.BOT if user_id == BOT_ID else MessageKind.MEMBER,
        reply_to_id=None if reply_to is None else 9_000_000_000_000_000_000 + reply_to,
    )


def scene() -> Scene:
    """Return a talk of several members over two days."""
    alice = SceneMember(
        member=member(ALICE, "alice_77", nickname="Alice", aliases=("Ally",)),
        given_name="Alicia",
        pronouns="she/her",
        acquaintance=Acquaintance.FAMILIAR,
        since=NOON - timedelta(days=200),
        facts=(
            fact(ALICE, f"<@{ALICE}> is called Alicia", key="name", value="Alicia", days_ago=30),
            fact(ALICE, f"<@{ALICE}> is allergic to nuts", author_id=BOB, days_ago=2),
            fact(ALICE, f"<@{ALICE}>'s exam is on 2026-02-20", days_ago=20, holds_on=date(2026, 2, 20)),
        ),
    )
    sasha = SceneMember(
        member=member(SASHA, "sasha_k", nickname="Саша"),
        context=f"<@{SASHA}> любит суши и играет с <@{ALICE}>.",
        profile=f"<@{SASHA}> шутит сухо.",
        facts=(
            fact(SASHA, f"<@{SASHA}> любит суши"),
            fact(SASHA, f"<@{SASHA}> встаёт рано", origin=FactOrigin.LEARNING, tentative=True),
        ),
        places=(
            ScenePlace(
                fact_id=7, said_at=NOON - timedelta(days=9), text="Дача: у озера (упоминается в 3 разговорах)"
            ),
        ),
    )
    members = (
        alice,
        SceneMember(member=member(BOB, "bob", nickname="\\o/")),
        sasha,
        SceneMember(member=member(OTHER_SASHA, "a.sasha", nickname="саша")),
    )
    messages = (
        message(1, SASHA, "кто завтра играет?", minutes_ago=60 * 24),
        message(2, BOB, f"<@{ALICE}> and me, <3"),
        message(3, STRANGER, "first time here"),
        message(4, BOT_ID, "Welcome!\n-# remembered: Bob likes tea", reply_to=3),
        message(5, OTHER_SASHA, "I was at <@99>'s place & slept", reply_to=2),
    )
    return Scene(
        bot_id=BOT_ID,
        bot_name="Keepsake",
        persona="A dry old librarian.",
        now=NOON + timedelta(seconds=59),
        time_zone="Asia/Tokyo",
        channel_name="general",
        message=message(6, ALICE, f"<@{BOT_ID}> what did <@{OTHER_SASHA}> say?", reply_to=5, minutes_ago=0),
        replied_to=messages[4],
        messages=messages,
        members=members,
        group=f"[2026-02-27] The tournament is on Sunday at 18:00 (<@{BOB}>)",
        server_facts=(fact(0, "movie night is on Friday", author_id=ALICE),),
        summary=f"<@{BOB}> looked for people to play on Saturday.",
        episodes=(
            episode(2, f"<@{BOB}> and <@{ALICE}> agreed on chess every Friday.", days_ago=3),
            episode(1, "The server moved to Lyon & got faster.", days_ago=40),
        ),
        recalled=(
            hit(11, f"<@{ALICE}> beat me at chess", author_id=BOB),
            hit(3, f"<@{STRANGER}> plays the drums", kind=HitKind.FACT, author_id=STRANGER),
            hit(4, "There was a chess cup.", kind=HitKind.EPISODE, author_id=0),
        ),
        recalled_facts={3: fact(STRANGER, f"<@{STRANGER}> plays the drums", tentative=True)},
        channel_names={CHANNEL_ID: "general", CHANNEL_ID + 1: "games"},
        called={known.member.user_id: known.member.name for known in members} | {STRANGER: "Newbie"},
    )


def saying(text: str, **changes: object) -> Scene:
    """Return the scene with another message to answer."""
    before = scene()
    return replace(before, message=replace(before.message, text=text), **changes)  # type: ignore[arg-type]


def data_of(a_scene: Scene) -> ElementTree.Element:
    """Return the data of the prompt as a tree."""
    return ElementTree.fromstring(written(a_scene).data)


def said(a_scene: Scene) -> list[Said]:
    """Return what was said before the message to answer, as the prompt has it."""
    return said_in(written(a_scene).data, ["messages"])


def answered(a_scene: Scene) -> Said:
    """Return the message to answer, as the prompt has it."""
    (one,) = said_in(written(a_scene).data, ["to_answer"])
    return one


def days(a_scene: Scene, section: str = "messages") -> list[str]:
    """Return the days above the messages of a section."""
    return [one[2:] for one in lines_of(written(a_scene).data, [section]) if one.startswith("# ")]


def texts(tree: ElementTree.Element, path: str) -> list[str]:
    return [(element.text or "").strip() for element in tree.findall(path)]
