"""What choosing memories for a reply needs: what a fact is about, and the stems of a member's facts, found at once."""

from bot.memory.topics import stems_by_bit
from bot.store.migrations import run_script

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    # What a fact is about is kept like its stems: generated, so that no writer can leave it out. Topics that learn
    # new words need a migration that renews function and column.
    bits = " | ".join(
        f"CASE WHEN lexemes @@ '{_any_of(stems)}' THEN {bit} ELSE 0 END" for bit, stems in _TOPICS
    )
    run_script(f"""
    CREATE FUNCTION topics_of(lexemes tsvector) RETURNS integer
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN {bits};
    """)
    # A stem is hashed together with whom its fact is about: a word that half the guild uses leads to the facts of
    # those who take part alone. What is found by hash is compared by word afterwards. The function is not safe to
    # run in parallel, so that no reply waits for a second process to begin.
    run_script("""
    CREATE FUNCTION stem_keys(guild_id bigint, subject_id bigint, lexemes tsvector) RETURNS bigint[]
        LANGUAGE sql IMMUTABLE COST 1000
        RETURN ARRAY(
            SELECT hashtextextended(stem, guild_id # subject_id)
            FROM unnest(tsvector_to_array(lexemes)) AS stem
            WHERE stem <> subject_id::text
        );
    ALTER TABLE facts
        ADD COLUMN topics integer NOT NULL GENERATED ALWAYS AS (topics_of(lexemes)) STORED,
        ADD COLUMN standing smallint GENERATED ALWAYS AS (CASE
            WHEN key IN ('name', 'pronouns') AND author_id = subject_id THEN 1
            WHEN category = 'feeling' THEN 2
            WHEN category = 'preference' OR key LIKE 'likes:%' OR key LIKE 'favorite:%' THEN 3
        END) STORED;
    COMMENT ON COLUMN facts.topics IS 'what it is about, a bit for each topic';
    COMMENT ON COLUMN facts.standing IS 'given whatever is said: 1 what somebody is called, 2 a feeling, 3 a preference';

    CREATE INDEX facts_stem_keys ON facts USING gin (stem_keys(guild_id, subject_id, lexemes))
        WITH (fastupdate = off) WHERE status = 'active';
    CREATE INDEX facts_by_importance ON facts (guild_id, subject_id, importance DESC, said_at DESC)
        WHERE status = 'active';
    CREATE INDEX facts_standing ON facts (guild_id, subject_id, standing, importance DESC, said_at DESC)
        WHERE status = 'active' AND standing IS NOT NULL;
    """)


_TOPICS = stems_by_bit().items()


def _any_of(stems: list[str]) -> str:
    return " | ".join(f"''{stem}''" for stem in stems)
