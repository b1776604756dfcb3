"""A forward knows which message it repeats, so that it goes when that one does."""

from bot.db.migrations import run_script

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    run_script(
        """
        ALTER TABLE chat_history
            ADD COLUMN forwarded_guild_id bigint,
            ADD COLUMN forwarded_message_id bigint,
            ADD CONSTRAINT chat_history_forwards_whole
                CHECK ((forwarded_guild_id IS NULL) = (forwarded_message_id IS NULL)) NOT VALID;
        COMMENT ON COLUMN chat_history.forwarded_message_id IS 'the message whose words a forward repeats, which may be of another guild';
        CREATE INDEX chat_history_forwards ON chat_history (forwarded_guild_id, forwarded_message_id)
            WHERE forwarded_message_id IS NOT NULL;

        CREATE FUNCTION withheld_forward(bigint, bigint, bigint) RETURNS text
        LANGUAGE sql STABLE PARALLEL SAFE AS $body$
            WITH RECURSIVE line AS (
                SELECT guild_id, message_id, user_id, kind, reply_to_id, withheld,
                       forwarded_guild_id, forwarded_message_id
                FROM chat_history WHERE guild_id = $2 AND message_id = $3
                UNION
                SELECT o.guild_id, o.message_id, o.user_id, o.kind, o.reply_to_id, o.withheld,
                       o.forwarded_guild_id, o.forwarded_message_id
                FROM line JOIN chat_history o
                    ON o.guild_id = line.forwarded_guild_id AND o.message_id = line.forwarded_message_id
            )
            SELECT coalesce(withheld, 'opted_out') FROM line
            WHERE withheld IS NOT NULL
               OR said_by_absent(guild_id, user_id, kind, reply_to_id)
               OR (guild_id <> $1 AND kind <> 'bot' AND keeps_nothing($1, user_id))
            LIMIT 1
        $body$;
        COMMENT ON FUNCTION withheld_forward IS 'why nothing is kept in one guild of the words of a message that is forwarded there; NULL: it is';
        """
    )
