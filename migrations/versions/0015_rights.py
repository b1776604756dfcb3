"""What members allow to be kept of them."""

from bot.db.migrations import run_script

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    run_script("""
    ALTER TABLE members ADD COLUMN opted_in_at timestamptz;
    COMMENT ON COLUMN members.opted_in_at IS 'when the member last asked that something is kept; NULL: never, or opted out since';

    CREATE TABLE kept_categories (
        guild_id bigint  NOT NULL,
        user_id  bigint  NOT NULL,
        category text    NOT NULL
            CHECK (category IN ('fact', 'preference', 'event', 'feeling', 'place', 'other', 'profile')),
        kept     boolean NOT NULL,
        days     integer CHECK (days > 0),
        PRIMARY KEY (guild_id, user_id, category)
    );
    COMMENT ON TABLE kept_categories IS 'what a member chose of each kind of memory; what has no row is kept like all else';
    COMMENT ON COLUMN kept_categories.days IS 'after so many days it goes; NULL: when all else of its age goes';

    CREATE TABLE absences (
        guild_id  bigint NOT NULL,
        user_hash bytea  NOT NULL,
        from_id   bigint NOT NULL,
        to_id     bigint,
        PRIMARY KEY (guild_id, user_hash, from_id)
    );
    COMMENT ON TABLE absences IS 'spans of ids in which nothing was kept of a member, so that no later reading brings them in';
    COMMENT ON COLUMN absences.to_id IS 'the first id that is kept again; NULL: nothing is kept yet';
    COMMENT ON TABLE unheard IS 'the same for whole channels; channel 0 is the whole guild';

    CREATE FUNCTION user_hash(bigint, bigint) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $body$
        SELECT sha256(hash_secret || sha256(
            hash_secret || convert_to('user' || chr(31) || $1::text || chr(31) || $2::text, 'UTF8')
        ))
        FROM installation WHERE guild_id = 0
    $body$;
    COMMENT ON FUNCTION user_hash IS 'by which a member of a guild is recognised of whom nothing else is left';

    CREATE FUNCTION keeps_nothing(bigint, bigint) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $body$
        SELECT $2 <> 0 AND (
            EXISTS (
                SELECT FROM members m
                WHERE m.guild_id = $1 AND m.user_id = $2 AND m.opted_out_at IS NOT NULL
            )
            OR (
                EXISTS (SELECT FROM guilds g WHERE g.guild_id = $1 AND g.rights ->> 'consent' = 'asked')
                AND NOT EXISTS (
                    SELECT FROM members m
                    WHERE m.guild_id = $1 AND m.user_id = $2 AND (m.is_bot OR m.opted_in_at IS NOT NULL)
                )
            )
            OR (
                EXISTS (SELECT FROM erased e WHERE e.guild_id = $1 AND e.opted_out)
                AND EXISTS (
                    SELECT FROM erased e
                    WHERE e.guild_id = $1 AND e.user_hash = user_hash($1, $2) AND e.opted_out
                )
            )
        )
    $body$;
    COMMENT ON FUNCTION keeps_nothing IS 'whether nothing is kept of a member of a guild: opted out, or asked for consent that was not given';

    CREATE INDEX members_opted_out ON members (guild_id) WHERE opted_out_at IS NOT NULL;

    CREATE FUNCTION said_by_absent(bigint, bigint, text, bigint) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE AS $body$
        SELECT CASE WHEN $3 <> 'bot' THEN keeps_nothing($1, $2) ELSE $4 IS NOT NULL AND (
            EXISTS (
                SELECT FROM chat_history asked
                WHERE asked.guild_id = $1 AND asked.message_id = $4
                  AND (asked.withheld = 'opted_out'
                       OR (asked.kind <> 'bot' AND keeps_nothing(asked.guild_id, asked.user_id)))
            )
            OR EXISTS (
                SELECT FROM answers
                WHERE answers.guild_id = $1 AND answers.message_id = $4
                  AND keeps_nothing(answers.guild_id, answers.user_id)
            )
        ) END
    $body$;
    COMMENT ON FUNCTION said_by_absent IS 'whether a message of this author and kind, in reply to that one, is of a member of whom nothing is kept, or answers one';
    """)
