"""What an episode told is known to rest on its messages also when the episode made room for others."""

from bot.db.migrations import run_script

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """Note of each conversation which episode told of it that is gone. Of those that went before nobody knows."""
    run_script("""
    ALTER TABLE ended_conversations ADD COLUMN gone_episode_id bigint;
    COMMENT ON COLUMN ended_conversations.gone_episode_id IS
        'the episode that told of it and was removed since: answers may still tell it';
    DROP INDEX ended_conversations_told;
    CREATE INDEX ended_conversations_told ON ended_conversations USING gin (told_ids);
    """)
