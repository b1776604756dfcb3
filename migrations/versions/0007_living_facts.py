"""What living facts need: what they rest on, and what is yet to be read for them."""

from bot.db.migrations import run_script

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_script("""
    ALTER TABLE facts
        ADD COLUMN tentative boolean NOT NULL DEFAULT false,
        ADD COLUMN asked_at timestamptz,
        ADD COLUMN confirmed_at timestamptz;
    COMMENT ON COLUMN facts.tentative IS 'learned, and said on one day only: never stated as certain';
    COMMENT ON COLUMN facts.asked_at IS 'when its subject was asked whether this holds, or what was asked to be remembered';
    COMMENT ON COLUMN facts.confirmed_at IS 'when its subject said that it is so';

    CREATE TABLE fact_sources (
        guild_id    bigint      NOT NULL,
        source_id   bigint      GENERATED ALWAYS AS IDENTITY,
        fact_id     bigint      NOT NULL,
        origin      text        NOT NULL CHECK (origin IN ('command', 'pattern', 'tool', 'learning', 'import')),
        author_id   bigint      NOT NULL,
        channel_id  bigint      NOT NULL,
        message_id  bigint      NOT NULL,
        cause       text        NOT NULL,
        said_at     timestamptz NOT NULL,
        category    text        NOT NULL,
        content     text        NOT NULL,
        raw_content text        NOT NULL,
        importance  smallint    NOT NULL,
        confidence  real        NOT NULL,
        holds_on    date,
        expires_at  timestamptz,
        ended       boolean     NOT NULL DEFAULT false,
        retired_by  bigint,
        PRIMARY KEY (guild_id, source_id),
        CONSTRAINT one_source_per_cause UNIQUE (guild_id, fact_id, cause)
    );
    COMMENT ON TABLE fact_sources IS 'each time that a fact was said: what holds is decided from these alone';
    COMMENT ON COLUMN fact_sources.ended IS 'counts no more: expired, taken back, forgotten (then it has no text), or no longer so';
    COMMENT ON COLUMN fact_sources.retired_by IS 'the source that named this one as wrong; while that counts, this does not';
    CREATE INDEX fact_sources_of_a_message ON fact_sources (guild_id, message_id);
    CREATE INDEX fact_sources_retired ON fact_sources (guild_id, retired_by) WHERE retired_by IS NOT NULL;
    CREATE INDEX fact_sources_expiring ON fact_sources (guild_id, expires_at) WHERE expires_at IS NOT NULL AND NOT ended;

    INSERT INTO fact_sources (guild_id, fact_id, origin, author_id, channel_id, message_id, cause, said_at, category,
                              content, raw_content, importance, confidence, holds_on, expires_at, ended)
    SELECT guild_id, fact_id, origin, author_id, source_channel_id, source_message_id, cause, said_at, category,
           content, raw_content, importance, confidence, holds_on, expires_at, status IN ('inactive', 'forgotten')
    FROM facts ORDER BY guild_id, fact_id;

    -- What was superseded until now was so by the order of arrival, and stays so.
    UPDATE fact_sources older SET retired_by = newer.source_id
    FROM facts f JOIN fact_sources newer ON newer.guild_id = f.guild_id AND newer.fact_id = f.superseded_by
    WHERE f.status = 'superseded' AND older.guild_id = f.guild_id AND older.fact_id = f.fact_id;

    CREATE TABLE unextracted (
        guild_id   bigint NOT NULL,
        message_id bigint NOT NULL,
        PRIMARY KEY (guild_id, message_id)
    );
    COMMENT ON TABLE unextracted IS 'messages that are yet to be read for facts';
    INSERT INTO unextracted (guild_id, message_id)
    SELECT guild_id, message_id FROM chat_history
    WHERE kind = 'member' AND withheld IS NULL
    ORDER BY guild_id, message_id;
    """)
