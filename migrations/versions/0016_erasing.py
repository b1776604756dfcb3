"""Erasing members and guilds."""

from bot.db.migrations import run_script

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    run_script("""
    COMMENT ON TABLE erased IS 'all that is left of an erased member: a keyed hash, up to when, and whether they opted out';
    COMMENT ON COLUMN erased.erased_up_to IS 'what was said by or about the member until then is never stored again';

    CREATE TABLE waiting_notes (
        guild_id    bigint      NOT NULL,
        user_id     bigint      NOT NULL,
        erased_up_to timestamptz NOT NULL,
        told_at     timestamptz,
        PRIMARY KEY (guild_id, user_id)
    );
    COMMENT ON TABLE waiting_notes IS 'erased members about whom others keep notes in closed rooms, until a manager decides';
    COMMENT ON COLUMN waiting_notes.told_at IS 'when managers were told of it, once';

    CREATE INDEX members_who_left ON members (guild_id, left_at) WHERE left_at IS NOT NULL;

    -- Numbers as short as those are words like any other; no id that Discord gives is.
    CREATE FUNCTION without_id(said text, user_id bigint) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
            WHEN strpos(said, user_id::text) = 0 THEN said
            WHEN user_id < 100000000000000 THEN regexp_replace(said, '<@!?' || user_id || '>', '<@0>', 'g')
            ELSE regexp_replace(
                regexp_replace(said, '<@!?' || user_id || '>', '<@0>', 'g'),
                '(?<![0-9])' || user_id || '(?![0-9])', '0', 'g')
        END;
    COMMENT ON FUNCTION without_id IS 'a text in which a member is nobody any more';

    CREATE FUNCTION was_erased(bigint, bigint, timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $body$
        SELECT $2 <> 0
            AND EXISTS (SELECT FROM erased e WHERE e.guild_id = $1 AND e.erased_up_to >= $3)
            AND EXISTS (
                SELECT FROM erased e
                WHERE e.guild_id = $1 AND e.user_hash = user_hash($1, $2) AND e.erased_up_to >= $3
            )
    $body$;
    COMMENT ON FUNCTION was_erased IS 'whether a member of a guild was erased with all that was said until this time';

    CREATE FUNCTION without_erased(bigint, text, timestamptz) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $body$
    DECLARE
        digits text;
        left_over text := $2;
    BEGIN
        IF $2 !~ '<@!?[0-9]|[0-9]{15}' OR NOT EXISTS (
            SELECT FROM erased WHERE guild_id = $1 AND erased_up_to >= $3
        ) THEN
            RETURN $2;
        END IF;
        FOR digits IN
            SELECT DISTINCT hit[1] FROM regexp_matches($2, '(?<![0-9])([0-9]{1,18})(?![0-9])', 'g') AS hit
            WHERE length(hit[1]) >= 15 OR $2 ~ ('<@!?' || hit[1] || '>')
            UNION
            SELECT hit[1] FROM regexp_matches($2, '(?<![0-9])([0-9]{19})(?![0-9])', 'g') AS hit
            WHERE hit[1] COLLATE "C" <= '9223372036854775807'
        LOOP
            IF was_erased($1, digits::bigint, $3) THEN
                left_over := without_id(left_over, digits::bigint);
            END IF;
        END LOOP;
        RETURN left_over;
    END
    $body$;
    COMMENT ON FUNCTION without_erased IS 'what was said at some time, in which members who were erased since are nobody';
    """)
