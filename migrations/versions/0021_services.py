"""Which loops of a process fail, for another process to see."""

from bot.db.migrations import run_script

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    run_script(
        """
        CREATE TABLE services (
            guild_id bigint NOT NULL DEFAULT 0,
            process_id uuid NOT NULL,
            name text NOT NULL,
            failures integer NOT NULL,
            since timestamptz NOT NULL,
            error text NOT NULL,
            reported_at timestamptz NOT NULL,
            PRIMARY KEY (guild_id, process_id, name)
        );
        """
    )
