"""What every module of tables starts from."""

from sqlalchemy import MetaData, String

TABLES = MetaData()
"""The tables that are defined so far; ``grader.store.schema`` has them all."""

DIGEST = String(64)
"""The type of a SHA-256 in hexadecimal."""
