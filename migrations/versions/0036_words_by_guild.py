"""Words are indexed by guild: what one guild looks up does not depend on what others say."""

from bot.db.migrations import run_script

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    # Each word of an index begins with four letters that stand for its guild. Two guilds that share these (one pair of
    # 5,800 guilds will) only take longer: whoever looks something up compares guild and words afterwards. A word that
    # would not fit behind them is not indexed. "IF NOT EXISTS" is for who made the indexes before, while Keepsake ran.
    run_script(r"""
    CREATE OR REPLACE FUNCTION guild_words(guild_id bigint, words tsvector) RETURNS tsvector
        LANGUAGE plpgsql IMMUTABLE STRICT AS $body$
    DECLARE
        mark    text   := left(encode(sha256(int8send(guild_id)), 'base64'), 4);
        lexemes text[] := tsvector_to_array(words);
        listed  text   := array_to_string(lexemes, E'\x01' || mark);
    BEGIN
        IF octet_length(listed) > 2042 THEN
            lexemes := ARRAY(SELECT word FROM unnest(lexemes) AS word WHERE octet_length(word) <= 2042);
            listed := array_to_string(lexemes, E'\x01' || mark);
        END IF;
        RETURN CASE WHEN lexemes = '{}' THEN '' ELSE array_to_tsvector(string_to_array(mark || listed, E'\x01')) END;
    END
    $body$;
    COMMENT ON FUNCTION guild_words IS 'words as they are indexed: each behind what stands for its guild, without places';

    CREATE OR REPLACE FUNCTION guild_query(guild_id bigint, query tsquery) RETURNS tsquery
        LANGUAGE plpgsql IMMUTABLE STRICT AS $body$
    BEGIN
        -- The index knows no places: what stands side by side is looked up as standing anywhere.
        RETURN regexp_replace(
            regexp_replace(query::text, '<(-|\d+)>(?=([^'']*''[^'']*'')*[^'']*$)', '&', 'g'),
            '''(([^'']|'''')*)''', '''' || left(encode(sha256(int8send(guild_id)), 'base64'), 4) || '\1''', 'g'
        )::tsquery;
    END
    $body$;
    COMMENT ON FUNCTION guild_query IS 'a query as guild_words is asked; what it finds is still to be compared';

    -- One whose making was broken off stands there too, and finds nothing.
    DO $body$
    DECLARE
        broken text := (
            SELECT string_agg(indexrelid::regclass::text, ', ') FROM pg_index
            WHERE NOT indisvalid AND indexrelid = ANY(ARRAY[
                to_regclass('chat_history_guild_words'), to_regclass('facts_guild_words'),
                to_regclass('episodes_guild_words'), to_regclass('members_guild_words')
            ])
        );
    BEGIN
        IF broken IS NOT NULL THEN
            RAISE EXCEPTION 'an index was not made to its end: run "DROP INDEX %" by psql, and start again', broken;
        END IF;
    END
    $body$;
    SET LOCAL maintenance_work_mem = '256MB';
    CREATE INDEX IF NOT EXISTS chat_history_guild_words ON chat_history USING gin (guild_words(guild_id, lexemes))
        WITH (fastupdate = off);
    CREATE INDEX IF NOT EXISTS facts_guild_words ON facts USING gin (guild_words(guild_id, lexemes))
        WITH (fastupdate = off) WHERE status = 'active';
    CREATE INDEX IF NOT EXISTS episodes_guild_words ON episodes USING gin (guild_words(guild_id, lexemes))
        WITH (fastupdate = off);
    CREATE INDEX IF NOT EXISTS members_guild_words ON members USING gin (guild_words(guild_id, name_words))
        WITH (fastupdate = off);
    DROP INDEX chat_history_words, facts_words, episodes_words, members_by_name;
    """)
