"""Every table of the store: what is created, backed up and restored."""

from grader.store import (
    account_tables,
    course_tables,
    device_link_tables,
    job_tables,
    lti_tables,
    regrade_tables,
    tables,
)
from grader.store.metadata import TABLES

VERSION_TABLE = "grader_schema_version"
"""The table of Alembic: one row, the schema of the store."""

MODULES = (tables, course_tables, job_tables, regrade_tables, lti_tables, account_tables, device_link_tables)
"""The modules that define tables; a table of a module that is missing here is in no backup."""

__all__ = ["MODULES", "TABLES", "VERSION_TABLE"]
