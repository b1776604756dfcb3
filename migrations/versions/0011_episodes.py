"""What episodes need: which conversations have ended, what tells of them, and from when on they leave any."""

from bot.db.migrations import run_script

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    run_script("""
    CREATE TABLE ended_conversations (
        guild_id         bigint      NOT NULL,
        channel_id       bigint      NOT NULL,
        first_message_id bigint      NOT NULL,
        last_message_id  bigint      NOT NULL,
        ended_at         timestamptz NOT NULL,
        settled          boolean     NOT NULL DEFAULT false,
        attempts         integer     NOT NULL DEFAULT 0,
        episode_id       bigint,
        told_ids         bigint[]    NOT NULL DEFAULT '{}',
        PRIMARY KEY (guild_id, channel_id, first_message_id)
    );
    COMMENT ON TABLE ended_conversations IS 'conversations with the bot whose end was noticed, each once';
    COMMENT ON COLUMN ended_conversations.ended_at IS 'by the clock that rules conversations';
    COMMENT ON COLUMN ended_conversations.settled IS 'an episode was made of it, or there will be none';
    COMMENT ON COLUMN ended_conversations.attempts IS 'how often models failed to tell of it';
    COMMENT ON COLUMN ended_conversations.episode_id IS 'the episode that tells of it, also one that it was merged into';
    COMMENT ON COLUMN ended_conversations.told_ids IS 'the messages that the episode rests on';
    CREATE INDEX ended_conversations_told ON ended_conversations USING gin (told_ids) WHERE episode_id IS NOT NULL;
    CREATE INDEX ended_conversations_of_an_episode ON ended_conversations (guild_id, episode_id)
        WHERE episode_id IS NOT NULL;

    CREATE INDEX answers_of_a_time ON answers (answered_at);

    ALTER TABLE installation ADD COLUMN episodes_from bigint;
    COMMENT ON COLUMN installation.episodes_from IS 'conversations that begin with an older message leave no episode;'
        ' NULL: none does, since episodes are off';
    UPDATE installation SET episodes_from = 0 WHERE NOT EXISTS (SELECT FROM chat_history);
    """)
