"""Course systems that speak LTI, in a relational database."""

from collections import defaultdict
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, select

from grader.store.database import Database
from grader.store.lti_tables import CONTEXTS, DEPLOYMENTS, LAB_LINKS, LOGINS, PLATFORMS, TOOL_KEYS
from grader.store.lti_values import (
    Context,
    LabLink,
    NewContext,
    NewPlatform,
    PendingLogin,
    Platform,
    ToolKey,
)

_KEYS_KEPT = 2
"""A platform may remember the former public key for a while."""


class SqlPlatforms:
    """``Platforms`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, platform: NewPlatform, key: ToolKey) -> Platform:
        """See ``Platforms.put``."""
        own = {name: value for name, value in asdict(platform).items() if name != "deployments"}
        with self._database.write() as connection:
            made = self._upsert(connection, PLATFORMS, own, ("issuer", "client_id"))
            connection.execute(delete(DEPLOYMENTS).where(DEPLOYMENTS.c.platform == made))
            rows = [{"platform": made, "deployment": each} for each in sorted(set(platform.deployments))]
            if rows:
                connection.execute(DEPLOYMENTS.insert(), rows)
            has_key = select(TOOL_KEYS.c.kid).where(TOOL_KEYS.c.platform == made)
            if connection.execute(has_key).first() is None:
                connection.execute(TOOL_KEYS.insert().values(platform=made, **asdict(key)))
            return next(each for each in _read(connection) if each.id == made)

    def list(self) -> tuple[Platform, ...]:
        """See ``Platforms.list``."""
        with self._database.read() as connection:
            return _read(connection)

    def add_key(self, platform: int, key: ToolKey) -> None:
        """See ``Platforms.add_key``."""
        newest = (
            select(TOOL_KEYS.c.kid)
            .where(TOOL_KEYS.c.platform == platform)
            .order_by(TOOL_KEYS.c.since.desc(), TOOL_KEYS.c.kid)
        )
        with self._database.write() as connection:
            connection.execute(TOOL_KEYS.insert().values(platform=platform, **asdict(key)))
            old = connection.execute(newest).scalars().all()[_KEYS_KEPT:]
            connection.execute(delete(TOOL_KEYS).where(TOOL_KEYS.c.kid.in_(old)))

    def connect(self, context: NewContext) -> Context:
        """See ``Platforms.connect``."""
        row = asdict(context)
        with self._database.write() as connection:
            made = self._upsert(connection, CONTEXTS, row, ("platform", "context"))
        return Context(id=made, **row)

    def contexts(self) -> tuple[Context, ...]:
        """See ``Platforms.contexts``."""
        with self._database.read() as connection:
            found = connection.execute(select(CONTEXTS).order_by(CONTEXTS.c.id))
            return tuple(Context(**row._mapping) for row in found)  # noqa: SLF001 - SQLAlchemy's public name

    def link(self, context: int, lab: str, line_item: str = "") -> LabLink:
        """See ``Platforms.link``."""
        with self._database.write() as connection:
            new = self._database.insert(LAB_LINKS).values(context=context, lab=lab, line_item=line_item)
            same = ("context", "lab")
            if line_item:
                connection.execute(
                    new.on_conflict_do_update(index_elements=same, set_={"line_item": line_item})
                )
            else:
                connection.execute(new.on_conflict_do_nothing(index_elements=same))
            wanted = (LAB_LINKS.c.context == context) & (LAB_LINKS.c.lab == lab)
            return _link(connection.execute(select(LAB_LINKS).where(wanted)).one())

    def links(self) -> tuple[LabLink, ...]:
        """See ``Platforms.links``."""
        with self._database.read() as connection:
            return tuple(map(_link, connection.execute(select(LAB_LINKS).order_by(LAB_LINKS.c.id))))

    def begin_login(self, state: str, login: PendingLogin, expires: datetime) -> None:
        """See ``Platforms.begin_login``."""
        with self._database.write() as connection:
            connection.execute(delete(LOGINS).where(LOGINS.c.expires_at <= self._database.now))
            connection.execute(LOGINS.insert().values(state=state, expires_at=expires, **asdict(login)))

    def end_login(self, state: str, at: datetime) -> PendingLogin | None:
        """See ``Platforms.end_login``."""
        taken = delete(LOGINS).where(LOGINS.c.state == state).returning(*LOGINS.c)
        with self._database.write() as connection:
            row = connection.execute(taken).first()
        if row is None or row.expires_at <= at:
            return None
        return PendingLogin(platform=row.platform, nonce=row.nonce)

    def _upsert(self, connection: Connection, table: Table, row: dict[str, Any], key: tuple[str, ...]) -> int:
        """Insert ``row``, or update the row with the same ``key``. Returns: its id."""
        statement = self._database.insert(table).values(row)
        statement = statement.on_conflict_do_update(index_elements=key, set_=row)
        return int(connection.execute(statement.returning(table.c.id)).scalar_one())


def _read(connection: Connection) -> tuple[Platform, ...]:
    keys: dict[int, list[ToolKey]] = defaultdict(list)
    for row in connection.execute(select(TOOL_KEYS).order_by(TOOL_KEYS.c.since, TOOL_KEYS.c.kid)):
        keys[row.platform].append(ToolKey(kid=row.kid, private_key=row.private_key, since=row.since))
    deployments: dict[int, list[str]] = defaultdict(list)
    for row in connection.execute(select(DEPLOYMENTS)):
        deployments[row.platform].append(row.deployment)
    return tuple(
        Platform(
            **row._mapping,  # noqa: SLF001 - SQLAlchemy's public name
            keys=tuple(keys[row.id]),
            deployments=tuple(sorted(deployments[row.id])),
        )
        for row in connection.execute(select(PLATFORMS).order_by(PLATFORMS.c.id))
    )


def _link(row: Row[Any]) -> LabLink:
    return LabLink(id=row.id, context=row.context, lab=row.lab, line_item=row.line_item)
