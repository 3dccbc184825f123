"""Databases for tests: an SQLite file, and a separate schema on a PostgreSQL server. A ``conftest`` imports them."""

import os
import secrets
from collections.abc import Callable, Iterator
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
def new_postgresql_url() -> Iterator[Callable[[], str]]:
    """Make an empty schema, and return its URL."""
    server = os.environ.get(SERVER)
    if server is None:
        pytest.skip(f"{SERVER} names no PostgreSQL server")
    engine = create_engine(make_url(server))
    schemas: list[str] = []

    def make() -> str:
        schemas.append(f"grader_{secrets.token_hex(8)}")
        with engine.begin() as connection:
            connection.execute(CreateSchema(schemas[-1]))
        url = make_url(server).update_query_dict({"options": f"-csearch_path={schemas[-1]}"})
        return url.render_as_string(hide_password=False)

    yield make
    with engine.begin() as connection:
        for schema in schemas:
            connection.execute(DropSchema(schema, cascade=True))
    engine.dispose()


@pytest.fixture
def postgresql_url(new_postgresql_url: Callable[[], str]) -> str:
    return new_postgresql_url()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database; a test that takes it runs on each kind."""
    return str(request.getfixturevalue(f"{request.param}_url"))
