"""The budget of a prompt: never over it, the question whole, and what gives way first matters least."""

import itertools
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.prompting import budget
from bot.chat.prompting.budget import DATA_TOKENS
from bot.chat.prompting.prompt import written
from bot.chat.prompting.scene import Scene, SceneMember, ScenePlace
from bot.core.domain import Member
from bot.llm import framing
from bot.llm.framing import estimated_tokens
from tests.chat.scenes import (
    ALICE,
    BOB,
    NOON,
    answered,
    data_of,
    episode,
    fact,
    hit,
    member,
    message,
    said,
    scene,
)
from tests.said import lines_of

# From what gives way first to what gives way last.
SECTIONS = (
    "channel_memories", "recalled", "server", "summary", "messages", "members/member/fact", "members/member", "you"
)  # fmt: skip


def test_messages_are_shortened_before_the_oldest_are_left_out() -> None:
    many = tuple(message(number, BOB, f"{number} " + "x" * 900) for number in range(10, 40))
    shown = [one.text for one in said(replace(scene(), replied_to=None, messages=many))]
    assert [text.split()[0] for text in shown] == [str(number) for number in range(10, 40)]
    assert len(shown[-1]) > 2 * len(shown[0])


def test_messages_that_were_shortened_leave_little_of_their_room() -> None:
    for count in (20, 30, 40, 50, 60):
        many = tuple(message(number, BOB, f"{number} " + "x" * 900) for number in range(10, 10 + count))
        data = written(replace(scene(), replied_to=None, messages=many)).data
        taken = estimated_tokens("\n".join(lines_of(data, ["messages"])))
        assert budget.MESSAGES_TOKENS - budget.MESSAGE_TOKENS < taken <= budget.MESSAGES_TOKENS


def test_of_too_many_messages_the_newest_stay_and_it_is_said_how_many_are_missing() -> None:
    many = tuple(message(number, BOB, f"{number} " + "x" * 900) for number in range(10, 210))
    crowded = replace(scene(), replied_to=None, messages=many)
    shown = [one.text.split()[0] for one in said(crowded)]
    assert 30 < len(shown) < 200
    assert shown == [str(number) for number in range(210 - len(shown), 210)]
    assert [one.get("left_out") for one in data_of(crowded).findall("messages")] == [str(200 - len(shown))]
    assert [one.get("left_out") for one in data_of(scene()).findall("messages")] == [None]


def test_a_long_first_line_pushes_no_memory_out() -> None:
    flooded = replace(
        scene(),
        message=message(6, ALICE, "first line " * 1_200 + "and what do I eat?"),
        messages=(message(1, BOB, "wall " * 9_000), *scene().messages),
        summary="summed up " * 3_000,
    )
    tree = data_of(flooded)
    assert answered(flooded).text.endswith("and what do I eat?")
    assert len(tree.findall("members/member/fact")) == 5
    assert len(tree.findall("members/member/context")) == 1


def test_what_was_found_fills_a_usual_prompt_and_of_a_long_one_only_its_least() -> None:
    many = tuple(hit(number, f"{number} " + "x" * 150) for number in range(100, 140))
    talk = tuple(message(number, BOB, f"{number} " + "x" * 200) for number in range(10, 40))
    usual = written(replace(scene(), recalled=many)).data
    long = written(replace(scene(), recalled=many, messages=talk)).data
    without = written(replace(scene(), recalled=(), messages=talk)).data
    assert estimated_tokens(usual) <= budget.USUAL_TOKENS + budget.FRAME_TOKENS
    assert estimated_tokens(without) > budget.USUAL_TOKENS
    assert 0 < estimated_tokens(long) - estimated_tokens(without) <= budget.LEAST_RECALLED_TOKENS


def test_a_longer_question_takes_room_from_the_least_important_section_first() -> None:
    full = replace(
        scene(),
        members=tuple(
            SceneMember(
                member=member(number, f"user{number}"),
                facts=tuple(fact(number, "y" * 400) for _ in range(20)),
                bearing=frozenset({1}),
            )
            for number in range(1, 13)
        ),
        messages=tuple(message(number, 1, "x" * 900) for number in range(10, 60)),
        server_facts=tuple(fact(0, "z" * 300) for _ in range(9)),
        server_bearing=frozenset({1}),
        summary="s" * 9_000,
        episodes=tuple(episode(number, "e" * 150, days_ago=1) for number in range(10)),
        recalled=tuple(hit(number, "r" * 400) for number in range(6)),
        persona="p" * 2_000,
        replied_to=None,
    )
    kept = []
    for letters in range(10, 33_000, 2_500):
        tree = data_of(replace(full, message=replace(full.message, text="q" * letters)))
        kept.append(
            [sum(len("".join(one.itertext())) for one in tree.findall(path)) for path in SECTIONS[:-2]]
            + [len(tree.findall(SECTIONS[-2])), len(tree.findtext("you") or "")]
        )
    whole, *_, nothing = kept
    assert all(whole)
    assert sum(nothing[:6]) == 0
    for before, after in itertools.pairwise(kept):
        # A shorter form of messages may leave a few tokens to the sections after them.
        assert all(now <= then + 400 for then, now in zip(before, after, strict=True))
        first_whole = next((number for number, size in enumerate(after) if size == whole[number]), 8)
        lost = [number for number in range(first_whole, 8) if after[number] < whole[number]]
        assert not lost, f"{[SECTIONS[number] for number in lost]} give way before {SECTIONS[first_whole]}"


LETTERS = st.characters(codec="utf-8", exclude_characters="\ufffe\uffff")
LONG = st.builds(
    lambda part, times: part * times,
    st.text(LETTERS, max_size=9),
    st.sampled_from([1, 1, 1, 2, 20, 500, 3_000]),
)
PEOPLE = st.integers(1, 30)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    people = draw(st.lists(PEOPLE, unique=True, max_size=14))
    members = tuple(
        SceneMember(
            member=Member(
                guild_id=1,
                user_id=user_id,
                user_name=draw(LONG) or "x",
                nickname=draw(LONG),
                aliases=(draw(LONG),),
            ),
            pronouns=draw(LONG),
            context=draw(LONG),
            profile=draw(LONG),
            places=tuple(
                ScenePlace(fact_id=1, said_at=NOON, text=text) for text in draw(st.lists(LONG, max_size=3))
            ),
            facts=tuple(
                fact(user_id, text[:500], author_id=draw(PEOPLE)) for text in draw(st.lists(LONG, max_size=6))
            ),
        )
        for user_id in people
    )
    messages = tuple(
        message(
            number,
            draw(PEOPLE),
            draw(LONG),
            reply_to=draw(st.none() | st.integers(0, number)),
            minutes_ago=draw(st.integers(0, 9_000)),
        )
        for number in range(draw(st.integers(0, 20)))
    )
    return replace(
        scene(),
        bot_name=draw(LONG),
        persona=draw(LONG),
        channel_name=draw(LONG),
        members=members,
        messages=messages,
        replied_to=draw(st.none() | st.sampled_from(messages)) if messages else None,
        message=message(50, draw(PEOPLE), draw(LONG), reply_to=draw(st.none() | st.integers(0, 20))),
        server_facts=tuple(fact(0, text[:500], author_id=1) for text in draw(st.lists(LONG, max_size=4))),
        summary=draw(LONG),
        episodes=tuple(episode(1, text, days_ago=1) for text in draw(st.lists(LONG, max_size=12))),
        recalled=tuple(hit(1, text, author_id=draw(PEOPLE)) for text in draw(st.lists(LONG, max_size=6))),
    )


@settings(max_examples=40, deadline=None)
@given(scenes())
def test_the_data_is_never_over_its_budget_and_the_question_is_whole(a_scene: Scene) -> None:
    data = written(a_scene).data
    assert written(a_scene).data == data
    assert estimated_tokens(data) <= DATA_TOKENS
    tree = data_of(a_scene)
    asked = answered(a_scene)
    shown = asked.text
    if len(shown) < len(framing.one_line(budget.cleaned(a_scene.message.text))):
        assert shown.endswith("…")
        # Cut means that it takes all the room by itself, but for the names around it.
        assert estimated_tokens(framing.tag("message", shown)) > DATA_TOKENS - budget.FRAME_TOKENS - 200
    told = [*said(a_scene), asked]
    ids = [one.short_id for one in told if one.short_id]
    assert len(set(ids)) == len(ids)
    listed = {element.get("id") for element in tree.iter("member")}
    people = {element.get(role) for element in tree.iter() for role in ("author", "teller")} - {None, "you"}
    assert people | {one.by for one in told if one.by.startswith("u")} <= listed
    assert {one.reply_to for one in told} - {None} <= set(ids)
