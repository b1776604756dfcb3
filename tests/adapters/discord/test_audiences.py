"""What is said where only some can read it stays with them, whatever way Discord has of saying who can."""

import discord
import pytest

from bot.adapters.discord.audiences import (
    HIDDEN_NAME,
    audience_of,
    bot_can_read,
    bot_can_write,
    is_visitor,
    proposed_base_role,
)
from bot.core.domain import OPEN
from tests.adapters.discord.payloads import posted
from tests.adapters.discord.sight import (
    ADMINISTRATOR,
    ALICE_ID,
    ALL,
    BOB_ID,
    BOT_ID,
    CONNECT,
    DIRECT_ID,
    GENERAL_ID,
    GUILD_ID,
    HISTORY,
    MANAGE_THREADS,
    MEMBER_ROLE_ID,
    SEND,
    SEND_IN_THREADS,
    THREAD_ID,
    VIEW,
    Json,
    Sight,
    channel,
    guild,
    member,
    overwrite,
    role,
    thread,
    user,
)

EVERYONE_DENIED = overwrite(GUILD_ID, deny=VIEW)
MEMBERS_LET_IN = overwrite(MEMBER_ROLE_ID, allow=VIEW)
MEMBERS_DENIED = overwrite(MEMBER_ROLE_ID, deny=VIEW)
ALICE_LET_IN = overwrite(ALICE_ID, allow=VIEW, of_member=True)
NO_ENTRY = overwrite(GUILD_ID, deny=CONNECT)
MEMBER = role(MEMBER_ROLE_ID, "Member", ALL)
STAFF = 910000000000000002
BOTS = 910000000000000003

ROOMS: list[tuple[str, Json, int | None, bool]] = [
    # What it is, the channel, the base role, and whether it is open.
    ("a plain channel", channel(5, "general"), None, True),
    ("hidden from everyone", channel(5, "staff", EVERYONE_DENIED), None, False),
    ("hidden from everyone, for members", channel(5, "games", EVERYONE_DENIED, MEMBERS_LET_IN), None, False),
    ("the same where members are the base", channel(5, "games", EVERYONE_DENIED, MEMBERS_LET_IN), MEMBER_ROLE_ID, True),
    ("for members, said in another order", channel(5, "games", MEMBERS_LET_IN, EVERYONE_DENIED), MEMBER_ROLE_ID, True),
    ("for staff alone", channel(5, "staff", EVERYONE_DENIED, overwrite(STAFF, allow=VIEW)), MEMBER_ROLE_ID, False),
    ("closed to members, open to all others", channel(5, "verify", MEMBERS_DENIED), MEMBER_ROLE_ID, False),
    ("for one member", channel(5, "one", EVERYONE_DENIED, ALICE_LET_IN), None, False),
    ("without its history", channel(5, "drop", overwrite(GUILD_ID, deny=HISTORY)), None, False),
    ("read only", channel(5, "rules", overwrite(GUILD_ID, deny=SEND)), None, True),
    ("announcements", channel(5, "news", kind=5), None, True),
    ("a forum", channel(5, "ideas", kind=15), None, True),
    ("a media channel", channel(5, "art", kind=16), None, True),
    ("a voice channel", channel(5, "Lounge", kind=2), None, True),
    ("a voice channel that nobody may enter", channel(5, "Office", NO_ENTRY, kind=2), None, False),
    ("a stage", channel(5, "Stage", kind=13), None, True),
    ("age-restricted", channel(5, "adults", nsfw=True), None, False),
    ("an age-restricted voice channel", channel(5, "adults", kind=2, nsfw=True), None, False),
    ("an age-restricted forum", channel(5, "adults", kind=15, nsfw=True), None, False),
    ("hidden from the bot", channel(5, HIDDEN_NAME, EVERYONE_DENIED, flags=1 << 17, topic=None), None, False),
    ("hidden from the bot, with administrators as base", channel(5, HIDDEN_NAME, EVERYONE_DENIED), STAFF, False),
    ("closed, where administrators are the base", channel(5, "staff", EVERYONE_DENIED), STAFF, True),
    ("where the base role was deleted", channel(5, "general"), 919, False),
]  # fmt: skip


@pytest.mark.parametrize(("what", "told", "base_role_id", "is_open"), ROOMS, ids=[room[0] for room in ROOMS])
def test_a_channel_is_open_if_the_base_role_can_read_it(
    what: str, told: Json, base_role_id: int | None, is_open: bool
) -> None:
    room = entered(told).get_channel(5)
    assert room is not None, what
    assert audience_of(room, base_role_id=base_role_id) == (OPEN if is_open else 5)


@pytest.mark.parametrize(
    ("parent", "kind", "audience"),
    [
        (channel(5, "general"), 11, OPEN),
        (channel(5, "staff", EVERYONE_DENIED), 11, 5),
        (channel(5, "general"), 12, THREAD_ID),
        (channel(5, "staff", EVERYONE_DENIED), 12, THREAD_ID),
        (channel(5, "news", kind=5), 10, OPEN),
        (channel(5, "ideas", kind=15), 11, OPEN),
        (channel(5, "adults", nsfw=True), 11, 5),
        (channel(6, "elsewhere"), 11, THREAD_ID),
    ],
    ids="open closed private privately-closed announced post age-restricted parentless".split(),
)
def test_a_public_thread_is_as_open_as_its_parent_and_a_private_one_is_not(
    parent: Json, kind: int, audience: int
) -> None:
    told = entered(parent, threads=(thread(THREAD_ID, "plans", 5, kind=kind),))
    found = told.get_thread(THREAD_ID)
    assert found is not None
    assert audience_of(found, base_role_id=None) == audience


def test_a_direct_message_is_open_to_those_in_it() -> None:
    heard = Sight().hear(posted("hi", channel_id=str(DIRECT_ID), without=("guild_id", "member")))
    assert audience_of(heard.channel, base_role_id=None) == OPEN
    assert bot_can_read(heard.channel)
    assert bot_can_write(heard.channel)


def test_a_channel_that_nobody_told_of_is_closed() -> None:
    heard = Sight().hear(posted("hi", guild_id="998", channel_id="999"))
    assert audience_of(heard.channel, base_role_id=None) == 999
    assert not bot_can_read(heard.channel)
    assert not bot_can_write(heard.channel)


def test_a_channel_closes_and_opens_with_the_permissions_of_the_moment() -> None:
    told = entered(channel(5, "general"))
    room = told.get_channel(5)
    assert isinstance(room, discord.TextChannel)
    room._update(told, channel(5, "general", EVERYONE_DENIED))  # type: ignore[arg-type]
    assert audience_of(room, base_role_id=None) == 5
    room._update(told, channel(5, "general"))  # type: ignore[arg-type]
    assert audience_of(room, base_role_id=None) == OPEN


@pytest.mark.parametrize(
    ("user_id", "roles", "base_role_id", "visits"),
    [
        (ALICE_ID, (), None, False),
        (ALICE_ID, (), MEMBER_ROLE_ID, True),
        (ALICE_ID, (MEMBER_ROLE_ID,), MEMBER_ROLE_ID, False),
        (ALICE_ID, (STAFF,), MEMBER_ROLE_ID, False),
        (1, (), MEMBER_ROLE_ID, False),
        (ALICE_ID, (MEMBER_ROLE_ID,), 919, True),
    ],
    ids="no-gate lacks-it has-it administrator owner role-deleted".split(),
)
def test_a_visitor_is_who_lacks_the_base_role(
    user_id: int, roles: tuple[int, ...], base_role_id: int | None, visits: bool
) -> None:
    told = entered(members=(member(user_id, "alice", roles=roles),))
    found = told.get_member(user_id)
    assert found is not None
    assert is_visitor(found, base_role_id=base_role_id) is visits


def test_of_whom_no_roles_are_known_is_a_visitor_only_behind_a_gate() -> None:
    sight = Sight()
    sight.enter(guild())
    stranger = sight.hear(posted("hi", author=user(806, "eve"), without=("member",))).author
    assert is_visitor(stranger, base_role_id=MEMBER_ROLE_ID)
    assert not is_visitor(stranger, base_role_id=None)


GATED = (
    channel(5, "verify"),
    channel(6, "general", EVERYONE_DENIED, MEMBERS_LET_IN),
    channel(7, "games", EVERYONE_DENIED, MEMBERS_LET_IN),
    channel(8, "staff", EVERYONE_DENIED, overwrite(STAFF, allow=VIEW)),
)
HELD = (
    member(ALICE_ID, "alice", roles=(MEMBER_ROLE_ID, 918)),
    member(BOB_ID, "bob", roles=(MEMBER_ROLE_ID, 918)),
    member(803, "carol", roles=(STAFF, 918)),
    *(member(810 + number, f"bot{number}", roles=(BOTS,), bot=True) for number in range(5)),
)


def test_the_role_that_most_members_hold_is_proposed_where_everyone_reads_little() -> None:
    proposed = proposed_base_role(entered(*GATED, members=HELD))
    assert proposed is not None
    # Five bots hold theirs and everybody a colour, which opens no door.
    assert proposed.id == MEMBER_ROLE_ID


@pytest.mark.parametrize(
    "rooms",
    [(), GATED[:2], (*GATED, channel(9, "news", kind=5), channel(10, "ideas", kind=15))],
    ids=["no channels", "half of them", "more than half"],
)
def test_nothing_is_proposed_where_everyone_reads_half_of_the_channels(rooms: tuple[Json, ...]) -> None:
    assert proposed_base_role(entered(*rooms, members=HELD)) is None


def test_channels_that_the_bot_does_not_see_do_not_make_a_gate() -> None:
    unseen = tuple(channel(20 + number, HIDDEN_NAME, EVERYONE_DENIED, flags=1 << 17) for number in range(9))
    assert proposed_base_role(entered(channel(5, "general"), *unseen, members=HELD)) is None


def test_a_managed_role_is_never_proposed() -> None:
    roles = (role(MEMBER_ROLE_ID, "Boosters", ALL, managed=True),)
    told = Sight().enter(guild(everyone=ALL, roles=roles, channels=GATED, members=HELD))
    assert proposed_base_role(told) is None


def test_holders_that_discord_counted_go_before_those_that_are_known_here() -> None:
    told = entered(*GATED, members=HELD)
    proposed = proposed_base_role(told, holders={MEMBER_ROLE_ID: 3, STAFF: 4000, 918: 9000})
    assert proposed is not None
    assert proposed.id == STAFF
    assert proposed_base_role(told, holders={}) is None


@pytest.mark.parametrize(
    ("told", "reads", "writes"),
    [
        (channel(5, "general"), True, True),
        (channel(5, "staff", EVERYONE_DENIED), False, False),
        (channel(5, "let in", EVERYONE_DENIED, overwrite(BOT_ID, allow=VIEW, of_member=True)), True, True),
        (channel(5, "rules", overwrite(GUILD_ID, deny=SEND)), True, False),
        (channel(5, "drop", overwrite(GUILD_ID, deny=HISTORY)), False, True),
        (channel(5, "ideas", kind=15), True, False),
        (channel(5, "Lounge", kind=2), True, True),
        (channel(5, "Office", NO_ENTRY, kind=2), False, False),
        (channel(5, HIDDEN_NAME, overwrite(BOT_ID, allow=VIEW, of_member=True)), False, False),
    ],
    ids=lambda told: told["name"] if isinstance(told, dict) else "",
)
def test_the_bot_knows_where_it_can_read_and_write(told: Json, reads: bool, writes: bool) -> None:
    room = entered(told).get_channel(5)
    assert room is not None
    assert (bot_can_read(room), bot_can_write(room)) == (reads, writes)


@pytest.mark.parametrize(
    ("parent", "locked", "writes"),
    [
        (channel(GENERAL_ID, "general", overwrite(GUILD_ID, deny=SEND)), False, True),
        (channel(GENERAL_ID, "general", overwrite(GUILD_ID, deny=SEND_IN_THREADS)), False, False),
        (channel(GENERAL_ID, "general"), True, False),
        (channel(GENERAL_ID, "general", overwrite(GUILD_ID, allow=MANAGE_THREADS)), True, True),
        (channel(5, "elsewhere"), False, False),
    ],
    ids="threads-only no-threads locked locked-for-others parentless".split(),
)
def test_a_thread_has_a_permission_of_its_own_for_writing(parent: Json, locked: bool, writes: bool) -> None:
    told = entered(parent, threads=(thread(THREAD_ID, "plans", GENERAL_ID, locked=locked),))
    found = told.get_thread(THREAD_ID)
    assert found is not None
    assert bot_can_write(found) is writes


def entered(*channels: Json, threads: tuple[Json, ...] = (), members: tuple[Json, ...] = ()) -> discord.Guild:
    """Return a guild with these channels, and roles for members, staff and bots."""
    roles = (
        MEMBER,
        role(STAFF, "Staff", ADMINISTRATOR, position=9),
        role(BOTS, "Bots", ALL, managed=True),
        role(918, "Blue"),
    )
    return Sight().enter(guild(roles=roles, channels=channels, threads=threads, members=members))
