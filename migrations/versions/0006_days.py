"""What days need: whether one was rewritten, up to where it is told, and who is telling it."""

from bot.db.migrations import run_script

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_script("""
    ALTER TABLE day_marks
        ADD COLUMN rewritten bigint NOT NULL DEFAULT 0,
        ADD COLUMN taken_back bigint NOT NULL DEFAULT 0;
    COMMENT ON COLUMN day_marks.rewritten IS 'the version at which something of the day was last edited or taken back';
    COMMENT ON COLUMN day_marks.taken_back IS 'the version at which something of the day was last deleted or withheld';

    ALTER TABLE distillations ADD COLUMN covers_up_to bigint NOT NULL DEFAULT 0;
    ALTER TABLE distillations ADD COLUMN is_final boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN distillations.is_final IS 'of a day: told from all its messages, after its end';
    COMMENT ON COLUMN distillations.covers_up_to IS 'of a day: the newest message that it tells of';

    CREATE TABLE builds (
        guild_id     bigint      NOT NULL,
        build_key    text        NOT NULL,
        holder       uuid        NOT NULL,
        leased_until timestamptz NOT NULL,
        PRIMARY KEY (guild_id, build_key)
    );
    COMMENT ON TABLE builds IS 'who is building a text, in real time: nobody else pays for the same one';
    """)
