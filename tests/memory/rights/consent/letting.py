"""What tests of members' standing need: words that change it, and looks at what is known, given and found."""

from datetime import timedelta

from bot.app import Keepsake
from bot.core.domain import OPEN
from bot.db.pool import Database
from bot.memory.facts.statements import Note
from bot.memory.policy.permissions import ReadScope
from bot.memory.profiles import repository as profiles_repository
from bot.memory.profiles.repository import Profile
from tests.memory.spoken import ALICE, BOB, CHANNEL_ID, GUILD_ID, NOON

VIEW = ReadScope(guild_id=GUILD_ID, audiences=(OPEN,))
STRANGER = 99


def note(statement: str, *, about: int = BOB, by: int = ALICE, minutes: int = 0) -> Note:
    moment = NOON + timedelta(minutes=minutes)
    return Note(
        guild_id=GUILD_ID,
        subject_id=about,
        author_id=by,
        speaker_id=by,
        audience=OPEN,
        statement=statement,
        cause=f"m:{minutes}:{statement}",
        channel_id=CHANNEL_ID,
        message_id=0,
        said_at=moment,
        time_zone="UTC",
    )


async def opt_out(keepsake: Keepsake, user_id: int = BOB) -> None:
    await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=user_id)


async def opt_in(keepsake: Keepsake, user_id: int = BOB) -> None:
    await keepsake.memory.consent.opt_in(guild_id=GUILD_ID, user_id=user_id)


async def told_about(keepsake: Keepsake, *user_ids: int) -> list[str]:
    found = await keepsake.library.facts_about_each(user_ids, VIEW, asker_id=ALICE)
    return sorted(fact.content for fact in found)


async def given(keepsake: Keepsake, text: str, *user_ids: int) -> list[str]:
    """Return the facts that a reply to `text` would be given, names and pronouns too."""
    found = await keepsake.memory.relevant(
        view=VIEW, user_ids=user_ids, close_ids=user_ids, text=text, asker_id=ALICE
    )
    return sorted(
        [fact.content for one in found.values() for fact in one.facts]
        + [one.given_name for one in found.values() if one.given_name]
    )


async def found(keepsake: Keepsake, query: str) -> list[str]:
    hits = await keepsake.memory.recall(guild_id=GUILD_ID, query=query, audiences=[OPEN], limit=10)
    return sorted({hit.text for hit in hits})


async def counted(database: Database, statement: str, *arguments: object) -> int:
    number: int = await database.read(lambda connection: connection.fetchval(statement, *arguments))
    return number


async def put(database: Database, user_id: int, content: str) -> None:
    """Store a profile."""
    profile = Profile(
        guild_id=GUILD_ID, user_id=user_id, version=1, content=content, covers_up_to=1, learned_at=NOON
    )
    await database.write(profiles_repository.add_version, profile, memory_epoch=0)
