"""The store in a relational database: open it, and reach its ports."""

from grader.config.settings import Config
from grader.store import retention
from grader.store.accounts import SqlAccounts
from grader.store.attempts import SqlAttempts
from grader.store.claims import SqlClaims
from grader.store.connect import connect, explained
from grader.store.database import Database
from grader.store.decisions import SqlDecisions
from grader.store.device_links import SqlDeviceLinks
from grader.store.events import SqlEvents
from grader.store.facts import SqlFacts
from grader.store.jobs import SqlJobs
from grader.store.lab_versions import SqlLabVersions
from grader.store.lti_platforms import SqlPlatforms
from grader.store.lti_pushes import SqlPushes
from grader.store.people import SqlPeople
from grader.store.person_data import PersonData, read_person
from grader.store.ports import Store
from grader.store.rates import SqlRates
from grader.store.regrades import SqlRegrades
from grader.store.scores import SqlScores
from grader.store.sessions import SqlSessions
from grader.store.submissions import SqlSubmissions
from grader.store.tokens import SqlTokens
from grader.store.upgrade import ensure_schema
from grader.store.values import Decision
from grader.store.workers import SqlWorkers


def open_store(config: Config) -> Store:
    """Open the store that ``config`` names; create it if it does not exist.

    Raises: ``UserError`` if the database has another version, belongs to another program, is damaged or unreachable.
    """
    engine = connect(config.store.url, config.base)
    try:
        with explained(engine.url):
            ensure_schema(engine)
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(Database(engine))


class SqlStore:
    """``Store`` over SQLAlchemy: each call is one transaction. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.submissions = SqlSubmissions(database)
        self.lab_versions = SqlLabVersions(database)
        self.facts = SqlFacts(database)
        self.scores = SqlScores(database)
        self.decisions = SqlDecisions(database)
        self.regrades = SqlRegrades(database)
        self.events = SqlEvents(database)
        self.claims = SqlClaims(database)
        self.rates = SqlRates(database)
        self.attempts = SqlAttempts(database)
        self.people = SqlPeople(database)
        self.jobs = SqlJobs(database, self.submissions, self.attempts, self.scores)
        self.workers = SqlWorkers(database)
        self.platforms = SqlPlatforms(database)
        self.pushes = SqlPushes(database)
        self.accounts = SqlAccounts(database)
        self.sessions = SqlSessions(database)
        self.tokens = SqlTokens(database)
        self.device_links = SqlDeviceLinks(database)

    def forget(self, student: str, lab: str | None = None, record: Decision | None = None) -> int:
        """See ``Store.forget``."""
        return retention.forget(self._database, student, lab, record)

    def person_data(self, student: str) -> PersonData:
        """See ``Store.person_data``."""
        return read_person(self._database, student)

    def prune(self, keep: int) -> int:
        """See ``Store.prune``."""
        return retention.prune(self._database, keep)

    def close(self) -> None:
        """See ``Store.close``."""
        self._database.close()
