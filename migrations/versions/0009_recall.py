"""What finding again needs."""

from bot.db.migrations import run_script

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    run_script("""
    CREATE TABLE lexicon (
        guild_id bigint  NOT NULL,
        audience bigint  NOT NULL,
        word     bytea   NOT NULL,
        messages integer NOT NULL,
        PRIMARY KEY (guild_id, audience, word)
    );
    COMMENT ON TABLE lexicon IS 'how many messages say a word; of words that one message says nothing is kept';
    COMMENT ON COLUMN lexicon.word IS 'a keyed hash: what is forgotten cannot be read from here either';

    CREATE TABLE lexicon_counts (
        guild_id     bigint      NOT NULL,
        audience     bigint      NOT NULL,
        messages     bigint      NOT NULL,
        words        bigint      NOT NULL,
        refreshed_at timestamptz NOT NULL,
        PRIMARY KEY (guild_id, audience)
    );
    COMMENT ON TABLE lexicon_counts IS 'of how many messages and words the lexicon tells';

    CREATE FUNCTION lexicon_word(guild_id bigint, lexeme text, secret bytea) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN substr(sha256(secret || int8send(guild_id) || convert_to(lexeme, 'UTF8')), 1, 12);

    CREATE FUNCTION lexemes_of(config regconfig, message_text text, attachments text[]) RETURNS tsvector
        LANGUAGE sql STABLE PARALLEL SAFE
        RETURN CASE WHEN attachments = '{}' THEN to_tsvector(config, left(message_text, 20000))
               ELSE to_tsvector(config, left(message_text, 20000))
                    || setweight(to_tsvector(config, left(array_to_string(attachments, ' '), 20000)), 'C') END;
    COMMENT ON FUNCTION lexemes_of IS 'the words of a message; those of its attachments and embeds have the weight C';

    CREATE FUNCTION name_words(user_name text, display_name text, nickname text, old_names text[]) RETURNS tsvector
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN to_tsvector('pg_catalog.simple'::regconfig,
            concat_ws(' ', user_name, display_name, nickname, array_to_string(old_names, ' ')));
    ALTER TABLE members ADD COLUMN name_words tsvector NOT NULL
        GENERATED ALWAYS AS (name_words(user_name, display_name, nickname, old_names)) STORED;
    CREATE INDEX members_by_name ON members USING gin (name_words);
    """)
