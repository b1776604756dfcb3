"""What forgetting has to find."""

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    pass
