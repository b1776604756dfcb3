"""An index of the few members about whom others are told nothing: every reply looks them up."""

from bot.db.migrations import run_script

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    run_script("CREATE INDEX members_private ON members (guild_id, user_id) WHERE private;")
