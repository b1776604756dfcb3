"""What members allow to be kept of them."""

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    pass
