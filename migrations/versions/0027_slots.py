"""Slots are held by one statement, with all slots that a change of them may bring back."""

from bot.db.migrations import run_script

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Bring the function."""
    run_script(_FORWARD)


_FORWARD = """
    CREATE FUNCTION hold_slots(in_guild bigint, subject_ids bigint[], audiences bigint[], keys text[])
    RETURNS TABLE (subject_id bigint, audience bigint, key text) LANGUAGE plpgsql VOLATILE AS $body$
    #variable_conflict use_column
    DECLARE
        locks bigint[];
        held bigint[] := '{}';
    BEGIN
        LOOP
            -- Each turn sees what was named as wrong while the one before waited for its locks.
            WITH RECURSIVE reached AS (
                SELECT * FROM unnest(subject_ids, audiences, keys) AS wanted (subject_id, audience, key)
                UNION
                SELECT older.subject_id, older.audience, older.key
                FROM reached
                JOIN facts newer ON newer.guild_id = in_guild AND newer.subject_id = reached.subject_id
                    AND newer.audience = reached.audience AND newer.key = reached.key
                JOIN fact_sources naming ON naming.guild_id = in_guild AND naming.fact_id = newer.fact_id
                JOIN fact_sources named ON named.guild_id = in_guild AND named.retired_by = naming.source_id
                JOIN facts older ON older.guild_id = in_guild AND older.fact_id = named.fact_id
                    AND older.status <> 'forgotten'
            )
            SELECT array_agg(r.subject_id), array_agg(r.audience), array_agg(r.key),
                   array_agg(DISTINCT hashtextextended(format('%s:%s:%s:%s', in_guild, r.subject_id, r.audience, r.key), 0))
            INTO subject_ids, audiences, keys, locks FROM reached r;
            EXIT WHEN locks IS NULL OR locks <@ held;
            -- In an order that is the same for everybody; two slots with one number only wait for each other.
            PERFORM pg_advisory_xact_lock(number) FROM (
                SELECT number FROM unnest(locks) AS number WHERE number <> ALL(held) ORDER BY number OFFSET 0
            ) ordered;
            held := held || locks;
        END LOOP;
        RETURN QUERY SELECT * FROM unnest(subject_ids, audiences, keys);
    END
    $body$;
    COMMENT ON FUNCTION hold_slots IS
        'holds slots of a guild until commit, with all in which a source of them named something as wrong; returns all';
"""
