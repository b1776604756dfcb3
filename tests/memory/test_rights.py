"""Who may have what remembered and forgotten."""

from dataclasses import replace

import pytest

from bot.domain import GUILD_SUBJECT, Guild, RememberingOthers
from bot.memory.rights import may_forget, may_remember_about
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
    assert may_forget(told, user_id=user_id, from_moderator=from_moderator) is may


def test_nobody_is_the_subject_of_a_fact_about_the_guild() -> None:
    told = fact(1, "movie night is on Friday", subject_id=GUILD_SUBJECT, author_id=BOB)
    assert may_forget(told, user_id=BOB, from_moderator=False)
    assert not may_forget(told, user_id=ALICE, from_moderator=False)


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
