"""What learning profiles needs: which answers are turns, and which of those no learning has covered."""

from bot.db.migrations import run_script

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    run_script("""
    ALTER TABLE answers ADD COLUMN turn text CHECK (turn IN ('awaited', 'due', 'learned', 'passed'));
    COMMENT ON COLUMN answers.turn IS
        'NULL: no turn; awaited: one once it is delivered; due: not learned from yet; passed: never learned from';
    CREATE INDEX answers_as_turns ON answers (guild_id, user_id, message_id) WHERE turn IN ('due', 'learned');

    ALTER TABLE members ADD COLUMN profile_version integer NOT NULL DEFAULT 0 CHECK (profile_version >= 0);
    COMMENT ON COLUMN members.profile_version IS
        'the newest version of the profile that was ever written; it never falls, whatever is removed';
    """)
