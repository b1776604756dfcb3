"""What members decide about what is kept of them, as acts: opting out and in, being private, being erased."""

from tests.leaks import acts, asking_acts
from tests.leaks.canaries import GUILD_ID
from tests.leaks.drawn import Act, Drawn, named, process_of
from tests.leaks.hunt import Hunt


async def opt_out_or_in(hunt: Hunt, drawn: Drawn) -> None:
    """Let a member have nothing kept from now on, or have it kept again."""
    user_id = drawn.about_id
    consent = process_of(hunt, drawn).memory.consent
    if user_id in hunt.absent:
        hunt.begin(f"{user_id} opts in")
        await consent.opt_in(guild_id=GUILD_ID, user_id=user_id)
        for canary in hunt.canaries.values():
            canary.of_absent &= canary.subject_id != user_id
    else:
        hunt.begin(f"{user_id} opts out")
        await consent.opt_out(guild_id=GUILD_ID, user_id=user_id)
    hunt.absent ^= {user_id}
    await hunt.end()


async def be_private_or_not(hunt: Hunt, drawn: Drawn) -> None:
    """Let others be told nothing about a member, or something again."""
    user_id = drawn.about_id
    hunt.private ^= {user_id}
    hunt.begin(f"{user_id} is private: {user_id in hunt.private}")
    await process_of(hunt, drawn).memory.consent.set_private(
        guild_id=GUILD_ID, user_id=user_id, private=user_id in hunt.private
    )
    await hunt.end()


async def erase(hunt: Hunt, drawn: Drawn) -> None:
    """Erase a member wherever the bot knows them."""
    user_id = drawn.about_id
    erasing = process_of(hunt, drawn).memory.erasing
    hunt.begin(f"{user_id} is erased")
    guild_ids = await erasing.guild_ids()
    for guild_id in guild_ids:
        await erasing.erase_member(guild_id=guild_id, user_id=user_id, audiences=None, opted_out=False)
    for canary in hunt.canaries.values():
        canary.erase(user_id, guild_ids)
    # That others are told nothing about them is a choice of theirs, and goes with all that is kept of them.
    hunt.private.discard(user_id)
    await hunt.world.put_members()
    await hunt.end()


ACTS: dict[str, Act] = {
    **acts.ACTS,
    **asking_acts.ACTS,
    **named({opt_out_or_in: 1, be_private_or_not: 1, erase: 1}),
}
"""Every act there is, by name."""
