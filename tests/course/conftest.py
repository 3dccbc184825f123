"""The databases of the tests of services."""

from tests.databases import new_postgresql_url, postgresql_url, sqlite_url, url

__all__ = ["new_postgresql_url", "postgresql_url", "sqlite_url", "url"]
