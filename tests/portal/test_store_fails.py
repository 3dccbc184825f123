"""A database that fails is no mistake of the visitor: the answer says that it may be asked again."""

import sqlite3
from contextlib import closing

from tests.portal.client import Portal
from tools.portal_course import ADA


def test_a_page_without_its_database_answers_503(portal: Portal) -> None:
    with closing(portal.visit(ADA)) as browser:
        assert browser.get("/labs/matmul").status_code == 200
        found = [
            path for path in portal.folder.rglob("*") if path.is_file() and _is_sqlite(path.read_bytes()[:16])
        ]
        (file,) = found
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("ALTER TABLE attempts RENAME TO gone")
        assert browser.get("/labs/matmul").status_code == 503


def _is_sqlite(start: bytes) -> bool:
    return start.startswith(b"SQLite format 3")
