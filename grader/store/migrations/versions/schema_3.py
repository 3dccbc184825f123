"""Schema 3: what a course needs around the results."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Create the tables, and note what timed the best kernel of a report."""
    op.add_column("scores", sa.Column("timed_engine", sa.String, nullable=True))
    op.add_column("scores", sa.Column("timed_device", sa.String, nullable=True))
    _create_attempts()
    _create_people()
    _create_regrades()
    _create_queue()
    _create_lti()
    _create_accounts()


def _create_attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=True),
        sa.Column("submission", sa.String(64), nullable=True),
        sa.Column("submitted_at", sa.BigInteger, nullable=False),
        sa.Column("received_at", sa.BigInteger, nullable=False),
        sa.Column("group", sa.String, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("refusal", sa.Text, nullable=True),
        sa.UniqueConstraint("student", "lab", "source", name="attempts_once"),
    )
    op.create_index("attempts_by_lab", "attempts", ["lab", "student"])


def _create_people() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("email", sa.String, nullable=False),
        sa.Column("section", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
    )
    op.create_table(
        "person_ids",
        sa.Column("system", sa.String, primary_key=True),
        sa.Column("value", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("person_ids_by_person", "person_ids", ["person"])
    op.create_table(
        "memberships",
        sa.Column("person", sa.String, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
    )


def _create_regrades() -> None:
    op.create_table(
        "regrades",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("fresh", sa.Boolean, nullable=False),
    )
    op.create_table(
        "regrade_rows",
        sa.Column("regrade", sa.Integer, sa.ForeignKey("regrades.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("student", sa.String, primary_key=True),
        sa.Column("lab", sa.String, primary_key=True),
        sa.Column("submission", sa.String(64), nullable=False),
        sa.Column("before", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("score", sa.LargeBinary, nullable=True),
        sa.Column("facts", sa.LargeBinary, nullable=True),
    )
    op.create_index("regrade_rows_by_student", "regrade_rows", ["student", "lab"])
    still_open = sa.text("state IN ('waiting', 'proposed')")
    op.create_index(
        "regrade_rows_open",
        "regrade_rows",
        ["student", "lab"],
        unique=True,
        sqlite_where=still_open,
        postgresql_where=still_open,
    )


def _create_queue() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "submission_id", sa.Integer, sa.ForeignKey("submissions.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("lane", sa.Integer, nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("needs", sa.String, nullable=False),
        sa.Column("trusted", sa.Boolean, nullable=False),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("not_before", sa.BigInteger, nullable=False),
        sa.Column("submitted_at", sa.BigInteger, nullable=False),
        sa.Column("dispatcher", sa.String, nullable=True),
        sa.Column("claimed_at", sa.BigInteger, nullable=True),
        sa.Column("finished_at", sa.BigInteger, nullable=True),
        sa.Column("seconds", sa.Float, nullable=True),
        sa.Column("device", sa.String, nullable=True),
        sa.Column("why", sa.Text, nullable=False),
    )
    op.create_index("jobs_queue", "jobs", ["state", "lane", "turn", "id"])
    op.create_index("jobs_by_student", "jobs", ["student", "lab", "state"])
    op.create_index("jobs_by_submission", "jobs", ["submission_id"])
    op.create_index("jobs_by_needs", "jobs", ["state", "needs"])
    op.create_index("jobs_by_end", "jobs", ["state", "finished_at"])
    op.create_table(
        "job_events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("job", sa.Integer, sa.ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_index("job_events_by_job", "job_events", ["job", "id"])
    op.create_table(
        "workers",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("device", sa.LargeBinary, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("job", sa.Integer, nullable=True),
        sa.Column("set_aside", sa.Text, nullable=False),
    )


def _create_lti() -> None:
    op.create_table(
        "lti_platforms",
        sa.Column("id", sa.Integer, primary_key=True),
        *(
            sa.Column(name, sa.String, nullable=False)
            for name in ("issuer", "client_id", "login_url", "token_url", "keys_url", "audience")
        ),
        sa.UniqueConstraint("issuer", "client_id", name="lti_platforms_once"),
    )
    op.create_table(
        "lti_tool_keys",
        sa.Column("kid", sa.String, primary_key=True),
        sa.Column("platform", sa.Integer, _goes_with("lti_platforms"), nullable=False),
        sa.Column("private_key", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "lti_deployments",
        sa.Column("platform", sa.Integer, _goes_with("lti_platforms"), primary_key=True),
        sa.Column("deployment", sa.String, primary_key=True),
    )
    op.create_table(
        "lti_contexts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("platform", sa.Integer, _goes_with("lti_platforms"), nullable=False),
        *(
            sa.Column(name, sa.String, nullable=False)
            for name in ("deployment", "context", "title", "members_url", "line_items_url")
        ),
        sa.UniqueConstraint("platform", "context", name="lti_contexts_once"),
    )
    op.create_table(
        "lti_lab_links",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("context", sa.Integer, _goes_with("lti_contexts"), nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        sa.Column("line_item", sa.String, nullable=False),
        sa.UniqueConstraint("context", "lab", name="lti_lab_links_once"),
    )
    op.create_table(
        "lti_logins",
        sa.Column("state", sa.String(64), primary_key=True),
        sa.Column("platform", sa.Integer, _goes_with("lti_platforms"), nullable=False),
        sa.Column("nonce", sa.String, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_index("lti_logins_by_end", "lti_logins", ["expires_at"])
    _create_pushes()


def _create_pushes() -> None:
    op.create_table(
        "lti_pushes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("link", sa.Integer, _goes_with("lti_lab_links"), nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("lab", sa.String, nullable=False),
        *(
            sa.Column(name, sa.Float, nullable=True)
            for name in ("wanted", "wanted_most", "sent", "sent_most")
        ),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("not_before", sa.BigInteger, nullable=False),
        sa.Column("stamp", sa.BigInteger, nullable=True),
        sa.Column("why", sa.Text, nullable=False),
        sa.UniqueConstraint("link", "student", name="lti_pushes_once"),
    )
    op.create_index("lti_pushes_due", "lti_pushes", ["state", "not_before"])
    op.create_index("lti_pushes_by_student", "lti_pushes", ["student", "lab"])
    op.create_table(
        "lti_push_events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("push", sa.Integer, _goes_with("lti_pushes"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("points", sa.Float, nullable=True),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_index("lti_push_events_by_push", "lti_push_events", ["push", "id"])


def _goes_with(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def _create_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("email", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("password", sa.String, nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("disabled_at", sa.BigInteger, nullable=True),
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.String, primary_key=True),
        sa.Column("subject", sa.String, primary_key=True),
        _of_account(),
    )
    op.create_table(
        "login_links",
        sa.Column("digest", sa.String(64), primary_key=True),
        _of_account(),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=True),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        _of_account(),
        sa.Column("signed_in_by", sa.String, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        _of_account(),
        sa.Column("label", sa.String, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=True),
        sa.Column("expires_at", sa.BigInteger, nullable=True),
    )
    op.create_table(
        "device_links",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("code", sa.String(64), nullable=False, unique=True),
        sa.Column("label", sa.String, nullable=False),
        sa.Column("person", sa.String, _account(), nullable=True),
        sa.Column("accepted", sa.Boolean, nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    for table in ("identities", "login_links", "sessions", "tokens", "device_links"):
        op.create_index(f"{table}_by_person", table, ["person"])


def _of_account() -> sa.Column[str]:
    return sa.Column("person", sa.String, _account(), nullable=False)


def _account() -> sa.ForeignKey:
    return sa.ForeignKey("accounts.person", ondelete="CASCADE")
