"""Schema 3: what a course needs around the results."""

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Create the tables."""
