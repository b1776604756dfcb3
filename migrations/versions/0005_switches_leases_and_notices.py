"""Switches of channels, leases of shards, and what an owner was told today."""

from bot.db.migrations import run_script

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_script("""
    ALTER TABLE channels ALTER COLUMN answering DROP NOT NULL;
    ALTER TABLE channels ALTER COLUMN answering DROP DEFAULT;
    ALTER TABLE channels ADD COLUMN quiet_until timestamptz;
    ALTER TABLE channels ADD COLUMN beginning bigint;
    UPDATE channels SET answering = NULL WHERE answering = 'addressed';
    COMMENT ON COLUMN channels.answering IS 'NULL: nobody chose; a thread then answers as its parent does';
    COMMENT ON COLUMN channels.quiet_until IS 'until then the bot answers nothing there';
    COMMENT ON COLUMN channels.beginning IS 'oldest message id down to which the past was read; NULL: none of it';
    CREATE INDEX channels_of_a_parent ON channels (guild_id, parent_id) WHERE parent_id IS NOT NULL;

    CREATE TABLE unheard (
        guild_id   bigint NOT NULL,
        channel_id bigint NOT NULL,
        from_id    bigint NOT NULL,
        to_id      bigint,
        PRIMARY KEY (guild_id, channel_id, from_id)
    );
    COMMENT ON TABLE unheard IS 'spans of ids in which a channel was not heard, so that no later reading brings them in';
    COMMENT ON COLUMN unheard.to_id IS 'the first id that is heard again; NULL: it is still not heard';

    CREATE TABLE shard_leases (
        guild_id     bigint      NOT NULL DEFAULT 0 CHECK (guild_id = 0),
        shard_id     integer     NOT NULL CHECK (shard_id >= 0),
        shard_count  integer     NOT NULL CHECK (shard_count > shard_id),
        holder       uuid        NOT NULL,
        leased_until timestamptz NOT NULL,
        PRIMARY KEY (guild_id, shard_id)
    );
    COMMENT ON COLUMN shard_leases.leased_until IS 'real time; one holder has one and the same for all its shards';

    CREATE TABLE notices (
        guild_id bigint NOT NULL,
        kind     text   NOT NULL,
        day      date   NOT NULL,
        told_by  uuid   NOT NULL,
        PRIMARY KEY (guild_id, kind)
    );
    COMMENT ON COLUMN notices.day IS 'the last day, real time in UTC, on which this was told';

    ALTER TABLE answers ADD COLUMN edited_at timestamptz;
    COMMENT ON COLUMN answers.edited_at IS 'of an edited command: the time of the edit that was carried out last';
    """)
