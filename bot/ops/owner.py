"""The operator's commands for backups: `keepsake backup`, `restore`, `decisions export`. They return exit statuses."""

import asyncio
import sys
from pathlib import Path
from typing import Final

from bot.app import open_database
from bot.core.clock import SystemClock
from bot.core.settings import Settings
from bot.memory.policy.decisions import fingerprint_of
from bot.memory.policy.repository import hash_secret
from bot.ops.backups import write_backup
from bot.ops.decision_file import append_decisions
from bot.ops.restoring import Restore, spans

_UNHEEDED: Final = """
  WARNING: nothing is known of what was decided since this backup was made on {made_at}.
  Whatever members had forgotten or erased since is here again; who opted out or became private since is not.
  If there is a file of decisions (keepsake decisions export), restore again with --decisions FILE --replace,
  before the bot is started. If there is none, tell the members.
"""

_GAPS: Final = """
  WARNING: the decisions {missing} are known no longer, and were not carried out.
  Whatever members had forgotten or erased by these is here again. Tell the members.
"""


async def back_up(settings: Settings, path: Path) -> int:
    """Write a backup, and say what is in it."""
    written = await write_backup(settings, SystemClock(), path)
    manifest = written.manifest
    print(
        f"{manifest.rows:,} rows of {len(manifest.tables)} tables were written to {path}"
        f" ({written.size_bytes:,} bytes), which only you can read."
    )
    print(f"It knows the decisions up to number {manifest.decisions}.")
    if not written.is_noted:
        print("The database could not note it, so 'keepsake status' does not know of it.")
    return 0


async def restore(
    settings: Settings, path: Path, *, decision_path: Path | None, replace: bool, despite_gaps: bool
) -> int:
    """Restore a backup, say what goes on, and warn if not all, or nothing, was known of decisions since."""
    restore = Restore(settings, path, decision_path=decision_path, replace=replace, despite_gaps=despite_gaps)
    restored = await restore.run(told=_tell)
    manifest = restored.manifest
    print(f"Restored: {manifest.rows:,} rows, as they were on {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC.")
    if restored.knew_decisions:
        until = restored.known_until
        last = "" if until is None else f", the last of {until:%Y-%m-%d %H:%M:%S} UTC"
        print(
            f"Of what was decided since then, {restored.carried_out:,} decisions were carried out once more{last}."
        )
        if restored.missing:
            print(_GAPS.format(missing=spans(restored.missing)), file=sys.stderr)
    else:
        print(_UNHEEDED.format(made_at=f"{manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"), file=sys.stderr)
    return 0


async def export_decisions(settings: Settings, path: Path, *, after: int | None) -> int:
    """Append to a file the decisions that it does not have yet, and say which."""
    is_new = after is None and not await asyncio.to_thread(path.exists)
    async with open_database(settings) as database:
        installation = fingerprint_of(await database.read(hash_secret))
        first, last = await append_decisions(database, path, installation=installation, after=after)
    if first > last:
        print(f"{path} has all decisions, up to number {last}.")
    else:
        print(f"The decisions {first} to {last} were appended to {path}.")
        if is_new and first > 1:
            print(
                f"Earlier ones are kept no longer: no backup goes with it that knows fewer than {first - 1}."
            )
    return 0


def _tell(what: str) -> None:
    print(f"  {what}", flush=True)
