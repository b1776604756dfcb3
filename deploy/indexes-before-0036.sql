-- The indexes that the forms 0036 and 0037 of the tables need, made while an older version of Keepsake runs and writes:
--     psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f deploy/indexes-before-0036.sql
-- If that is broken off, the last index is left without being of use; the migration says so, and how to drop it.

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

SET maintenance_work_mem = '256MB';
CREATE INDEX CONCURRENTLY chat_history_guild_words ON chat_history USING gin (guild_words(guild_id, lexemes))
    WITH (fastupdate = off);
CREATE INDEX CONCURRENTLY facts_guild_words ON facts USING gin (guild_words(guild_id, lexemes))
    WITH (fastupdate = off) WHERE status = 'active';
CREATE INDEX CONCURRENTLY episodes_guild_words ON episodes USING gin (guild_words(guild_id, lexemes))
    WITH (fastupdate = off);
CREATE INDEX CONCURRENTLY members_guild_words ON members USING gin (guild_words(guild_id, name_words))
    WITH (fastupdate = off);
CREATE INDEX CONCURRENTLY chat_history_by_time ON chat_history (guild_id, timestamp) INCLUDE (audience, kind, withheld);
