"""Answers are found by the episodes that they were given."""

from bot.db.migrations import run_script

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Index answers by their episodes: what one told goes with it, whenever a message that it rests on is deleted."""
    run_script("CREATE INDEX answers_with_episodes ON answers USING gin (episode_ids);")
