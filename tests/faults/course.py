"""A course of many small submissions, graded by a grader of its own that can be killed."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil

from grader.config import load
from grader.model.report import ResultsDocument
from grader.store.sql import open_store
from tests.paths import CHECKOUT

_HAND_INS = sorted((CHECKOUT / "submissions" / "vector-add").iterdir())


@dataclass(frozen=True, slots=True)
class Course:
    """A folder with ``grader.toml`` and submissions; ``scratch`` is the graders' folder for temporary files."""

    folder: Path
    scratch: Path
    sandbox: str

    @classmethod
    def of(cls, folder: Path, students: int, sandbox: str = "process") -> "Course":
        """A course of ``students`` who hand in what the sample class's students of vector-add did, in turn."""
        hand_ins = folder / "submissions" / "vector-add"
        hand_ins.mkdir(parents=True)
        for number in range(students):
            source = _HAND_INS[number % len(_HAND_INS)]
            shutil.copy(source, hand_ins / f"student-{number:03}{source.suffix}")
        config = f'[jobs]\ncount = 2\n[sandbox]\nkind = "{sandbox}"\n'
        (folder / "grader.toml").write_text(config, encoding="utf-8")
        scratch = folder / "scratch"
        scratch.mkdir()
        return cls(folder, scratch, sandbox)

    def start(self) -> subprocess.Popen[bytes]:
        """A grader of all that is not graded yet."""
        trust = ["--trust-submissions"] if self.sandbox == "process" else []
        with (self.folder / "grader.log").open("ab") as log:
            return subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    "from grader.cli.app import main; main()",
                    "grade",
                    "submissions",
                    *trust,
                ],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={**os.environ, "TMPDIR": str(self.scratch)},
            )

    def stored(self) -> list[str]:
        """Whose reports are in the store now, a name for each."""
        if not (self.folder / ".grader").exists():
            return []
        store = open_store(load(self.folder))
        try:
            return [record.key.student for record in store.latest_all()]
        finally:
            store.close()

    def results(self) -> dict[str, tuple[str, float]]:
        """Verdict and score by student, as they were written at the end. Everyone is there once."""
        data = (self.folder / "results" / "results.json").read_bytes()
        document = msgspec.json.decode(data, type=ResultsDocument)
        times = Counter(report.student for report in document.reports)
        assert set(times.values()) == {1}, times.most_common(3)
        return {report.student: (report.verdict, report.score) for report in document.reports}

    def left(self) -> list[str]:
        """What is still there of this course's graders: scratch folders, and processes that work for them."""
        folders = [path.name for path in self.scratch.iterdir()]
        processes = [
            " ".join(process.info["cmdline"] or [])
            for process in psutil.process_iter(["cmdline", "environ"])
            if (process.info["environ"] or {}).get("TMPDIR", "").startswith(str(self.scratch))
        ]
        return [*folders, *processes]
