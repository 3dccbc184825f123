"""A course of many small submissions, graded by a grader of its own that can be killed."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import psutil
from sqlalchemy import create_engine, func, make_url, select
from sqlalchemy.exc import DBAPIError

from grader.config import load
from grader.report import results_json
from grader.store.connect import DEFAULT_FILE
from grader.store.sql_store import open_store
from grader.store.tables import SCORES
from tools.paths import CHECKOUT

_WORKER = {sys.executable, "grader.worker"}
"""Of the command of a worker; one that has lost its grader belongs to the machine's first process."""

_COUNT = select(func.count()).select_from(SCORES)

_SUBMISSIONS = sorted((CHECKOUT / "submissions" / "vector-add").iterdir())


@dataclass(frozen=True, slots=True)
class Course:
    """A folder with ``grader.toml`` and submissions.

    ``scratch`` is the graders' folder for temporary files; ``environment`` is what else they find set. ``url`` names
    the database, by default the file in the folder.
    """

    folder: Path
    scratch: Path
    sandbox: str
    environment: dict[str, str]
    url: str

    @classmethod
    def of(
        cls,
        folder: Path,
        students: int,
        sandbox: str = "process",
        environment: dict[str, str] | None = None,
        *,
        url: str = "",
    ) -> "Course":
        """A course of ``students`` who hand in what the sample class's students of vector-add did, in turn."""
        submissions = folder / "submissions" / "vector-add"
        submissions.mkdir(parents=True)
        for number in range(students):
            source = _SUBMISSIONS[number % len(_SUBMISSIONS)]
            shutil.copy(source, submissions / f"student-{number:03}{source.suffix}")
        config = f'[jobs]\ncount = 2\n[sandbox]\nkind = "{sandbox}"\nspare = 1\n'
        store = f'[store]\nurl = "{url}"\n' if url else ""
        (folder / "grader.toml").write_text(config + store, encoding="utf-8")
        scratch = folder / "scratch"
        scratch.mkdir()
        return cls(folder, scratch, sandbox, environment or {}, url or f"sqlite:///{folder / DEFAULT_FILE}")

    @staticmethod
    def different() -> int:
        """How many different submissions there are: the student after as many hands in the first of them again."""
        return len(_SUBMISSIONS)

    @property
    def students(self) -> int:
        """How many hand in."""
        return len(list((self.folder / "submissions" / "vector-add").iterdir()))

    def start(self, preface: str = "") -> subprocess.Popen[bytes]:
        """A grader of all that is not graded yet; ``preface`` is Python that it runs first."""
        trust = ["--trust-submissions"] if self.sandbox == "process" else []
        with (self.folder / "grader.log").open("ab") as log:
            return subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    f"{preface}\nfrom grader.cli.app import main; main()",
                    "grade",
                    "submissions",
                    *trust,
                ],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={**os.environ, "TMPDIR": str(self.scratch), **self.environment},
            )

    def stored(self) -> list[str]:
        """Names of the students with a report in the store now, one for each report."""
        if not (self.folder / ".grader").exists():
            return []
        store = open_store(load(self.folder))
        try:
            return [score.key.student for score in store.scores.latest_all()]
        finally:
            store.close()

    def count(self) -> int:
        """How many reports are in the store now."""
        url = make_url(self.url)
        if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
            return 0
        engine = create_engine(url)
        try:
            with engine.connect() as connection:
                return int(connection.execute(_COUNT).scalar_one())
        except DBAPIError:
            return 0  # its tables are just being made
        finally:
            engine.dispose()

    def results(self) -> dict[str, tuple[str, float]]:
        """Verdict and score by student, as they were written at the end. Everyone is there once."""
        data = (self.folder / "results" / "results.json").read_bytes()
        document = results_json.load(data)
        times = Counter(report.student for report in document.reports)
        assert set(times.values()) == {1}, times.most_common(3)
        return {report.student: (report.verdict, report.score) for report in document.reports}

    def left(self) -> list[str]:
        """What is still there of this course's graders: files that only they need, and processes that serve them."""
        kept = {DEFAULT_FILE.name, "results.json", "grades.csv", "report.html", "report_files"}
        folders = [
            path.name
            for folder in (self.scratch, self.folder / DEFAULT_FILE.parent, self.folder / "results")
            for path in folder.iterdir()
            if path.name not in kept
        ]
        processes = [
            " ".join(process.info["cmdline"] or [])
            for process in psutil.process_iter(["cmdline", "environ", "ppid"])
            if (process.info["environ"] or {}).get("TMPDIR", "").startswith(str(self.scratch))
            or (process.info["ppid"] == 1 and set(process.info["cmdline"] or []) >= _WORKER)
        ]
        return [*folders, *processes]
