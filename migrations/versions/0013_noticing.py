"""Reading facts out of what members say: which messages are yet to be read, and from which nothing is learned."""

from bot.db.migrations import run_script

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    run_script("""
    ALTER TABLE chat_history ADD COLUMN from_visitor boolean NOT NULL DEFAULT false;
    CREATE INDEX unextracted_newest ON unextracted (message_id);
    """)
