"""Messages that the database itself refuses, by a trigger, and where they are kept then."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from bot.core.domain import Message
from bot.db.pool import Connection, Database
from bot.memory.messages.writer import MessageWriter
from tests.memory.messages.test_ingest import message

POISON = "zanzibarus"


async def poison(database: Database, *, does: str = "RAISE EXCEPTION 'not this one'") -> None:
    """Let whoever writes a message that holds the poison meet a fault of the database itself."""

    async def change(connection: Connection) -> None:
        await connection.execute(
            f"""
            CREATE OR REPLACE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW.message_text LIKE '%{POISON}%' THEN {does}; END IF; RETURN NEW;
            END $$;
            CREATE OR REPLACE TRIGGER fault BEFORE INSERT OR UPDATE ON chat_history
                FOR EACH ROW EXECUTE FUNCTION fault();
            """
        )

    await database.write(change)


async def mend(database: Database) -> None:
    await database.write(lambda connection: connection.execute("DROP TRIGGER fault ON chat_history"))


async def ids(database: Database, table: str = "chat_history") -> list[int]:
    found = await database.read(
        lambda connection: connection.fetch(f"SELECT message_id FROM {table} ORDER BY message_id")
    )
    return [row["message_id"] for row in found]


async def aside(database: Database) -> list[int]:
    return await ids(database, "quarantined_messages")


async def in_order(database: Database) -> list[int]:
    """Return the messages in the order in which their rows were written."""
    found = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_id FROM chat_history ORDER BY xmin::text::bigint, ctid"
        )
    )
    return [row["message_id"] for row in found]


@asynccontextmanager
async def writing(database: Database) -> AsyncIterator[MessageWriter]:
    writer = MessageWriter(database)
    writer.start()
    try:
        yield writer
    finally:
        await writer.stop()


def batch(count: int, poisoned: Collection[int] = (), *, first: int = 1) -> list[Message]:
    return [
        message(number, f"{POISON} {number}" if number in poisoned else f"hello {number}")
        for number in range(first, first + count)
    ]
