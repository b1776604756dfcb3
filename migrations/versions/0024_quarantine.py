"""Messages that could not be written, and messages that could not be read for facts, are tried again later."""

from bot.db.migrations import run_script

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    run_script(
        """
        CREATE TABLE quarantined_messages (
            guild_id bigint NOT NULL,
            message_id bigint NOT NULL,
            user_id bigint NOT NULL,
            timestamp timestamptz NOT NULL,
            edited_at timestamptz,
            message jsonb NOT NULL,
            error text NOT NULL,
            failures integer NOT NULL DEFAULT 1,
            since timestamptz NOT NULL,
            due_at timestamptz NOT NULL,
            PRIMARY KEY (guild_id, message_id)
        );
        COMMENT ON TABLE quarantined_messages IS 'messages that could not be written, as they were heard';
        CREATE INDEX quarantined_messages_due ON quarantined_messages (due_at);

        ALTER TABLE unextracted
            ADD COLUMN failures integer NOT NULL DEFAULT 0,
            ADD COLUMN due_at timestamptz NOT NULL DEFAULT '-infinity';
        """
    )
