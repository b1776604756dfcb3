"""`keepsake work`: lists background work that failed, and has it retried."""

from typing import Final

from bot.db import jobs
from bot.db.pool import Database

_MOST_LISTED: Final = 100


async def list_failed_work(database: Database) -> int:
    """Show the background work that failed, a line each, those given up first, and return the exit status."""
    found = await database.read(jobs.failed, limit=_MOST_LISTED)
    for one in found:
        state = "given up" if one.is_given_up else "tried again"
        print(
            f"{one.failed_at:%Y-%m-%d %H:%M} UTC  guild {one.guild_id}  {one.kind}  {state} after {one.attempts} tries:"
            f" {one.error}"
        )
    if not found:
        print("No work has failed.")
    return 0


async def retry_work(database: Database) -> int:
    """Request all work again that was given up, print how much that is, and return the exit status."""
    count = await database.write(jobs.retry)
    print(
        f"{'1 piece is' if count == 1 else f'{count} pieces are'} tried anew by whichever process runs the bot."
    )
    return 0
