"""Databases for the store's tests: an SQLite file, and a schema of its own on a PostgreSQL server."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url
from sqlalchemy.schema import CreateSchema, DropSchema

SERVER = "GRADER_TEST_POSTGRESQL"
"""The variable with the URL of a PostgreSQL server; CI sets it, and without it the tests of PostgreSQL are skipped."""


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/.grader/grader.sqlite"


@pytest.fixture
def postgresql_url() -> Iterator[str]:
    server = os.environ.get(SERVER)
    if server is None:
        pytest.skip(f"{SERVER} names no PostgreSQL server")
    schema = f"grader_{secrets.token_hex(8)}"
    engine = create_engine(make_url(server))
    with engine.begin() as connection:
        connection.execute(CreateSchema(schema))
    url = make_url(server).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(DropSchema(schema, cascade=True))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database; a test that takes it runs on each kind."""
    return str(request.getfixturevalue(f"{request.param}_url"))
