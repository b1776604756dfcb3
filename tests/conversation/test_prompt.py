"""The prompt of a reply: the same scene, the same bytes; everybody named, nothing over its share."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.conversation.prompting import DATA_TOKENS, TAGS, KnownMember, Scene, shares, written
from bot.conversation.replying import REPLY, ReplyGiven
from bot.domain import Member
from bot.language import framing
from bot.language.tokens import estimated_tokens
from tests.conversation.scenes import (
    ALICE,
    BOB,
    BOT_ID,
    OTHER_SASHA,
    SASHA,
    STRANGER,
    data_of,
    fact,
    member,
    message,
    saying,
    scene,
    texts,
)

GOLDEN = Path(__file__).parent / "golden" / "reply.txt"
ANSWERED = "to_answer/day/message"
EARLIER = "messages/day/message"


def test_the_same_scene_gives_the_same_prompt_byte_for_byte() -> None:
    prompt = REPLY.prompt(ReplyGiven(scene=scene()))
    assert prompt == GOLDEN.read_text(encoding="utf-8")
    assert REPLY.prompt(ReplyGiven(scene=scene(), fallback_text="another")) == prompt


def test_data_holds_no_tag_that_an_answer_is_not_searched_for() -> None:
    assert {element.tag for element in data_of(scene()).iter()} == TAGS


def test_every_message_names_its_author_oldest_first() -> None:
    said = data_of(scene()).findall(EARLIER)
    assert [one.get("author") or one.get("author_name") for one in said] == [
        "u3",
        "u2",
        "Newbie",
        "you",
        "u4",
    ]
    days = [day.get("date") for day in data_of(scene()).findall("messages/day")]
    assert days == sorted(str(day) for day in days)
    assert [int(str(one.get("id"))[1:]) for one in said] == [1, 2, 3, 4, 5]


def test_days_and_times_are_those_of_the_guild() -> None:
    now = data_of(scene()).find("now")
    assert now is not None
    assert (now.text, now.get("weekday")) == ("2026-03-01T21:00+09:00", "Sunday")
    west = data_of(replace(scene(), time_zone="Pacific/Pago_Pago"))
    assert [one.get("time") for one in west.findall(ANSWERED)] == ["01:00"]
    assert [day.get("date") for day in west.findall("messages/day")] == ["2026-02-28"]
    assert [day.get("date") for day in west.findall("to_answer/day")] == ["2026-03-01"]


def test_what_somebody_else_tells_is_told_as_theirs() -> None:
    facts = data_of(scene()).findall("members/member[@id='u1']/fact")
    assert [one.get("teller") for one in facts] == [None, "u2"]
    stranger = replace(scene(), server_facts=(fact(0, "the wifi is slow", author_id=STRANGER),))
    assert [one.get("teller_name") for one in data_of(stranger).findall("server/fact")] == ["Newbie"]


def test_what_is_remembered_as_a_whole_comes_before_the_single_facts() -> None:
    (sasha,) = data_of(scene()).findall("members/member[@id='u3']")
    assert [told.tag for told in sasha] == ["memory", "fact", "fact"]


def test_the_name_somebody_gave_goes_before_every_other() -> None:
    known = member(ALICE, "alice_77", nickname="Nick")
    for given_name, shown in (("Alicia", "Alicia"), ("", "Nick")):
        tree = data_of(replace(scene(), members=(KnownMember(member=known, given_name=given_name),)))
        assert [one.get("name") for one in tree.findall("members/member")] == [shown]
    (alice,) = data_of(scene()).findall("members/member[@id='u1']")
    assert (alice.get("also_known_as"), alice.get("pronouns")) == ("Ally, Alice, alice_77", "she/her")


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ([("bob", "Bob"), ("evil", "BOB")], ["Bob (bob)", "BOB (evil)"]),
        ([("bob", ""), ("evil", "bob")], ["bob", "bob (evil)"]),
        ([("evil", "Keepsake")], ["Keepsake (evil)"]),
        ([("a", "Kim"), ("b", "Kim"), ("c", "Kim (a)")], ["Kim (a)", "Kim (b)", "Kim (a) (c)"]),
        ([("a", "Kim"), ("b", "Jo")], ["Kim", "Jo"]),
    ],
)
def test_no_two_people_in_a_prompt_have_one_name(people: list[tuple[str, str]], expected: list[str]) -> None:
    members = tuple(
        KnownMember(member=member(100 + number, user_name, nickname=nickname))
        for number, (user_name, nickname) in enumerate(people)
    )
    tree = data_of(replace(scene(), members=members))
    assert [one.get("name") for one in tree.findall("members/member")] == expected


def test_mentions_become_the_names_that_the_prompt_tells_apart() -> None:
    tree = data_of(saying(f"<@{SASHA}> or <@!{OTHER_SASHA}>, <@{STRANGER}>, <@{BOT_ID}>?"))
    assert texts(tree, ANSWERED) == ["Саша (sasha_k) or саша (a.sasha), Newbie, Keepsake?"]
    assert "0000" not in REPLY.prompt(ReplyGiven(scene=scene()))


def test_the_small_lines_of_the_bot_are_not_shown_to_be_imitated() -> None:
    assert "Welcome!" in texts(data_of(scene()), EARLIER)
    assert "remembered:" not in written(scene()).data


def test_the_message_replied_to_is_there_however_long_ago_it_was_said() -> None:
    old = message(0, BOB, "the oldest of all")
    many = tuple(message(number, SASHA, "x" * 900) for number in range(10, 30))
    asked = message(40, ALICE, "what do you mean?", reply_to=0)
    tree = data_of(replace(scene(), messages=many, replied_to=old, message=asked))
    assert texts(tree, EARLIER)[0] == "the oldest of all"
    (answered,) = tree.findall(ANSWERED)
    assert answered.get("reply_to") == tree.findall(EARLIER)[0].get("id")


def test_of_too_many_messages_the_newest_stay() -> None:
    many = tuple(message(number, BOB, f"{number} " + "x" * 900) for number in range(10, 40))
    shown = [
        text.split()[0] for text in texts(data_of(replace(scene(), replied_to=None, messages=many)), EARLIER)
    ]
    assert 5 < len(shown) < 30
    assert shown == [str(number) for number in range(40 - len(shown), 40)]


def test_an_endless_persona_or_message_pushes_no_memory_out() -> None:
    pasted = tuple(replace(one, text="log " * 5_000) for one in scene().messages)
    tree = data_of(replace(scene(), persona="Grumpy. " * 10_000, messages=pasted))
    assert len(tree.findall("members/member/fact")) == 4
    assert len(tree.findall(EARLIER)) == len(pasted)


def test_the_most_important_memories_of_everybody_come_before_the_lesser_ones_of_anybody() -> None:
    members = tuple(
        KnownMember(
            member=member(number, f"user{number}"),
            facts=tuple(fact(number, f"{rank} " + "x" * 480) for rank in range(9)),
        )
        for number in range(1, 13)
    )
    shown = [
        [
            text.split()[0]
            for text in texts(data_of(replace(scene(), members=members)), f"members/member[@id='u{n}']/fact")
        ]
        for n in range(1, 13)
    ]
    assert all(ranks[:1] == ["0"] for ranks in shown)
    assert max(map(len, shown)) - min(map(len, shown)) <= 1


def test_a_longer_question_takes_room_from_the_least_important_section_first() -> None:
    full = replace(
        scene(),
        members=tuple(
            KnownMember(
                member=member(number, f"user{number}"),
                facts=tuple(fact(number, "y" * 400) for _ in range(20)),
            )
            for number in range(1, 13)
        ),
        messages=tuple(message(number, 1, "x" * 900) for number in range(10, 30)),
        server_facts=tuple(fact(0, "z" * 300) for _ in range(9)),
        persona="p" * 2_000,
        replied_to=None,
    )
    kept = []
    for letters in (10, 5_500, 10_000, 14_000, 22_000, 30_000):
        tree = data_of(replace(full, message=replace(full.message, text="q" * letters)))
        kept.append(
            [
                len(tree.findall("server/fact")),
                len(tree.findall(EARLIER)),
                len(tree.findall("members/member/fact")),
                len(tree.findall("members/member")),
                len(tree.findtext("you") or ""),
            ]
        )
    all_of_it, *_, nothing = kept
    assert nothing[:4] == [0, 0, 0, 0]
    for before, after in itertools.pairwise(kept):
        assert all(now <= then for then, now in zip(before, after, strict=True))
        # A section gives way only when those that matter less have given all that they had.
        first_whole = next((number for number, size in enumerate(after) if size == all_of_it[number]), 5)
        assert after[first_whole:] == all_of_it[first_whole:]
        assert sum(after[: max(0, first_whole - 1)]) <= 1


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
        KnownMember(
            member=Member(
                guild_id=1,
                user_id=user_id,
                user_name=draw(LONG) or "x",
                nickname=draw(LONG),
                aliases=(draw(LONG),),
            ),
            pronouns=draw(LONG),
            memory=draw(LONG),
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
    )


@settings(max_examples=40, deadline=None)
@given(scenes())
def test_the_data_is_never_over_its_budget_and_the_question_is_whole(a_scene: Scene) -> None:
    data = written(a_scene).data
    assert written(a_scene).data == data
    assert estimated_tokens(data) <= DATA_TOKENS
    tree = data_of(a_scene)
    (answered,) = tree.findall(ANSWERED)
    shown = answered.text or ""
    if len(shown) < len(shares.cleaned(a_scene.message.text)):
        assert shown.endswith("…")
        # Cut means that it takes all the room by itself, but for the names around it.
        assert estimated_tokens(framing.tag("message", shown)) > DATA_TOKENS - shares.FRAME_TOKENS - 200
    ids = [element.get("id") for element in tree.iter("message")]
    assert len(set(ids)) == len(ids)
    listed = {element.get("id") for element in tree.iter("member")}
    people = {element.get(role) for element in tree.iter() for role in ("author", "teller")} - {None, "you"}
    assert people <= listed
    assert {element.get("reply_to") for element in tree.iter("message")} - {None} <= set(ids)
