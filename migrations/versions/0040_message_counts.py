"""How many messages are kept of whom and where is kept beside them, so that nobody has to count them."""

from bot.db.migrations import run_script

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Make the table, what keeps it true, and count what is there."""
    run_script("""
    CREATE TABLE message_counts (
        guild_id   bigint NOT NULL,
        user_id    bigint NOT NULL,
        channel_id bigint NOT NULL,
        audience   bigint NOT NULL,
        kind       text   NOT NULL,
        messages   bigint NOT NULL,
        newest_id  bigint NOT NULL,
        PRIMARY KEY (guild_id, user_id, channel_id, audience, kind)
        -- What is counted changes with every message: there has to be room for the row's next version beside it.
    ) WITH (fillfactor = 70);
    COMMENT ON TABLE message_counts IS 'how many rows of chat_history with a text there are, kept by triggers; none without any';
    COMMENT ON COLUMN message_counts.newest_id IS 'no message counted here has a larger id; one that went may have had it';
    CREATE INDEX message_counts_of_a_channel ON message_counts (guild_id, channel_id);

    -- All who count take the rows in the order of their key, so that no two of them wait for each other.
    CREATE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        IF TG_OP = 'INSERT' THEN
            INSERT INTO message_counts AS kept
                (guild_id, user_id, channel_id, audience, kind, messages, newest_id)
            SELECT guild_id, user_id, channel_id, audience, kind, count(*), max(message_id)
            FROM rows_after WHERE withheld IS NULL
            GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT (guild_id, user_id, channel_id, audience, kind) DO UPDATE SET
                messages = kept.messages + excluded.messages,
                newest_id = greatest(kept.newest_id, excluded.newest_id);
            RETURN NULL;
        ELSIF TG_OP = 'DELETE' THEN
            INSERT INTO message_counts AS kept
                (guild_id, user_id, channel_id, audience, kind, messages, newest_id)
            SELECT guild_id, user_id, channel_id, audience, kind, -count(*), max(message_id)
            FROM rows_before WHERE withheld IS NULL
            GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT (guild_id, user_id, channel_id, audience, kind) DO UPDATE SET
                messages = kept.messages + excluded.messages;
        ELSE
            INSERT INTO message_counts AS kept
                (guild_id, user_id, channel_id, audience, kind, messages, newest_id)
            SELECT guild_id, user_id, channel_id, audience, kind, sum(change), max(message_id)
            FROM (
                SELECT guild_id, user_id, channel_id, audience, kind, message_id, sum(change) AS change
                FROM (
                    SELECT guild_id, user_id, channel_id, audience, kind, message_id, 1 AS change
                    FROM rows_after WHERE withheld IS NULL
                    UNION ALL
                    SELECT guild_id, user_id, channel_id, audience, kind, message_id, -1
                    FROM rows_before WHERE withheld IS NULL
                ) AS version
                GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0
            ) AS moved
            GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT (guild_id, user_id, channel_id, audience, kind) DO UPDATE SET
                messages = kept.messages + excluded.messages,
                newest_id = greatest(kept.newest_id, excluded.newest_id);
        END IF;
        IF FOUND THEN
            DELETE FROM message_counts kept USING (
                SELECT DISTINCT guild_id, user_id, channel_id, audience, kind FROM rows_before WHERE withheld IS NULL
            ) AS less
            WHERE kept.guild_id = less.guild_id AND kept.user_id = less.user_id
              AND kept.channel_id = less.channel_id AND kept.audience = less.audience AND kept.kind = less.kind
              AND kept.messages <= 0;
        END IF;
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER counted_new AFTER INSERT ON chat_history REFERENCING NEW TABLE AS rows_after
        FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
    CREATE TRIGGER counted_changed AFTER UPDATE ON chat_history
        REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
        FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
    CREATE TRIGGER counted_gone AFTER DELETE ON chat_history REFERENCING OLD TABLE AS rows_before
        FOR EACH STATEMENT EXECUTE FUNCTION count_messages();

    INSERT INTO message_counts (guild_id, user_id, channel_id, audience, kind, messages, newest_id)
    SELECT guild_id, user_id, channel_id, audience, kind, count(*), max(message_id)
    FROM chat_history WHERE withheld IS NULL GROUP BY 1, 2, 3, 4, 5;
    ANALYZE message_counts;

    -- What a member said to the bot is found by who said it.
    CREATE INDEX answers_of_a_member ON answers (guild_id, user_id, message_id);
    """)
