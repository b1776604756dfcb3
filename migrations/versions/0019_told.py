"""What guilds were told of memory."""

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    pass
