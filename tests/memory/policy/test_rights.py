"""Who may have what remembered and forgotten."""

from dataclasses import replace

import pytest

from bot.core.domain import GUILD_SUBJECT, ForgettingOthers, Guild, RememberingOthers
from bot.memory.policy.permissions import may_correct, may_forget, may_remember_about, may_undo
from tests.memory.known import fact

GUILD = Guild(guild_id=1, name="Test")
ALICE, BOB, EVE = 11, 12, 13


@pytest.mark.parametrize(
    ("user_id", "from_moderator", "may"),
    [(ALICE, False, True), (BOB, False, True), (EVE, False, False), (EVE, True, True)],
)
def test_a_fact_is_forgotten_for_its_subject_its_teller_and_moderators(
    user_id: int, from_moderator: bool, may: bool
) -> None:
    told = fact(1, "<@11> likes pizza", subject_id=ALICE, author_id=BOB)
    assert may_forget(None, told, user_id=user_id, from_moderator=from_moderator) is may


@pytest.mark.parametrize(
    ("user_id", "from_moderator", "may"),
    [(ALICE, False, True), (BOB, False, False), (EVE, False, False), (BOB, True, True), (EVE, True, True)],
)
def test_managers_may_leave_what_was_told_about_others_to_its_subject_and_moderators(
    user_id: int, from_moderator: bool, may: bool
) -> None:
    guild = replace(GUILD, forgetting_others=ForgettingOthers.MODERATORS)
    told = fact(1, "<@11> likes pizza", subject_id=ALICE, author_id=BOB)
    assert may_forget(guild, told, user_id=user_id, from_moderator=from_moderator) is may
    assert may_correct(guild, told, user_id=user_id, from_moderator=from_moderator) is may
    assert (
        may_undo(guild, told, user_id=user_id, from_moderator=from_moderator, asked_for_it=user_id == BOB)
        is may
    )
    for own in (
        fact(2, "<@12> likes pizza", subject_id=BOB, author_id=BOB),
        fact(3, "movie night is on Friday", subject_id=GUILD_SUBJECT, author_id=BOB),
    ):
        assert may_forget(guild, own, user_id=BOB, from_moderator=False), "that is about nobody else"


def test_who_had_somebody_elses_words_remembered_may_take_that_back() -> None:
    told = fact(1, "<@11> likes pizza", subject_id=ALICE, author_id=ALICE)
    assert may_undo(GUILD, told, user_id=EVE, from_moderator=False, asked_for_it=True)
    assert not may_undo(GUILD, told, user_id=EVE, from_moderator=False, asked_for_it=False)
    assert not may_forget(GUILD, told, user_id=EVE, from_moderator=False)


def test_nobody_is_the_subject_of_a_fact_about_the_guild() -> None:
    told = fact(1, "movie night is on Friday", subject_id=GUILD_SUBJECT, author_id=BOB)
    assert may_forget(None, told, user_id=BOB, from_moderator=False)
    assert not may_forget(None, told, user_id=ALICE, from_moderator=False)


@pytest.mark.parametrize("who", list(RememberingOthers))
@pytest.mark.parametrize("subject_id", [ALICE, GUILD_SUBJECT])
def test_everybody_may_have_things_remembered_about_themselves_and_about_the_guild(
    who: RememberingOthers, subject_id: int
) -> None:
    guild = replace(GUILD, remembering_others=who)
    assert may_remember_about(guild, author_id=ALICE, subject_id=subject_id, from_moderator=False)


@pytest.mark.parametrize(
    ("who", "of_members", "of_moderators"),
    [
        (RememberingOthers.EVERYONE, True, True),
        (RememberingOthers.MODERATORS, False, True),
        (RememberingOthers.NOBODY, False, False),
    ],
)
def test_who_may_have_things_remembered_about_others_is_for_the_managers_to_say(
    who: RememberingOthers, of_members: bool, of_moderators: bool
) -> None:
    guild = replace(GUILD, remembering_others=who)
    for from_moderator, may in ((False, of_members), (True, of_moderators)):
        assert (
            may_remember_about(guild, author_id=ALICE, subject_id=BOB, from_moderator=from_moderator) is may
        )
