"""What is being answered, what is done behind, and what the models have cost."""

from bot.db.migrations import run_script

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_script("""
    CREATE TABLE answers (
        guild_id     bigint      NOT NULL,
        message_id   bigint      NOT NULL,
        channel_id   bigint      NOT NULL,
        user_id      bigint      NOT NULL,
        route        text        NOT NULL,
        state        text        NOT NULL CHECK (state IN ('claimed', 'written', 'sent', 'silent')),
        holder       uuid        NOT NULL,
        leased_until timestamptz NOT NULL,
        parts        text[]      NOT NULL DEFAULT '{}',
        sent_ids     bigint[]    NOT NULL DEFAULT '{}',
        fact_ids     bigint[]    NOT NULL DEFAULT '{}',
        memory_ids   bigint[]    NOT NULL DEFAULT '{}',
        quoted_ids   bigint[]    NOT NULL DEFAULT '{}',
        question     jsonb,
        settled_by   bigint,
        degraded     boolean     NOT NULL DEFAULT false,
        answered_at  timestamptz NOT NULL,
        PRIMARY KEY (guild_id, message_id)
    );
    COMMENT ON COLUMN answers.leased_until IS 'real time; a claim older than this may be taken over';
    COMMENT ON COLUMN answers.answered_at IS 'the time of the clock that rules conversations';
    COMMENT ON COLUMN answers.fact_ids IS 'facts that this answer wrote, so that a correction finds them';
    COMMENT ON COLUMN answers.memory_ids IS 'facts that it tells; quoted_ids: messages that it quotes';
    COMMENT ON COLUMN answers.holder IS 'whose claim it is: what a process that was too slow writes is refused';
    CREATE INDEX answers_that_wrote ON answers USING gin (fact_ids);
    CREATE INDEX answers_that_told ON answers USING gin (memory_ids);
    CREATE INDEX answers_that_quoted ON answers USING gin (quoted_ids);
    COMMENT ON COLUMN answers.question IS 'what the bot asked back, until it is settled';
    CREATE INDEX answers_of_a_channel ON answers (guild_id, channel_id, answered_at);

    CREATE TABLE work (
        guild_id     bigint      NOT NULL,
        kind         text        NOT NULL,
        work_key     text        NOT NULL,
        wanted       bigint      NOT NULL DEFAULT 1,
        attempts     integer     NOT NULL DEFAULT 0,
        due_at       timestamptz NOT NULL,
        leased_until timestamptz,
        PRIMARY KEY (guild_id, kind, work_key)
    );
    COMMENT ON COLUMN work.wanted IS 'raised by each request; finished only if nobody asked again meanwhile';
    CREATE INDEX work_that_is_due ON work (due_at);

    CREATE TABLE usage (
        guild_id      bigint  NOT NULL,
        day           date    NOT NULL,
        operation     text    NOT NULL,
        model         text    NOT NULL,
        calls         bigint  NOT NULL DEFAULT 0,
        failures      bigint  NOT NULL DEFAULT 0,
        input_tokens  bigint  NOT NULL DEFAULT 0,
        output_tokens bigint  NOT NULL DEFAULT 0,
        PRIMARY KEY (guild_id, day, operation, model)
    );
    COMMENT ON COLUMN usage.day IS 'real time, where the quotas of models turn';
    CREATE INDEX usage_of_a_month ON usage (day);

    CREATE TABLE quota (
        guild_id bigint      NOT NULL DEFAULT 0,
        user_id  bigint      NOT NULL DEFAULT 0,
        model    text        NOT NULL,
        span     text        NOT NULL CHECK (span IN ('minute', 'day')),
        starts   timestamptz NOT NULL,
        used     bigint      NOT NULL,
        PRIMARY KEY (guild_id, user_id, model, span)
    );
    COMMENT ON TABLE quota IS 'guild 0: all requests; else the share of a guild, or of a member of it';
    COMMENT ON COLUMN quota.starts IS 'real time; a count of an earlier span is over';
    """)
