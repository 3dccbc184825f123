"""Five typical reports in three languages, side by side: ``python -m tools.typical_reports`` writes their page.

``python -m tools.typical_reports --grade`` first grades the five submissions of the sample class again, on the emulator
and with the default settings, and records their reports; the page and its tests need no grading.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import msgspec
from rich.console import Console

from grader.config import load
from grader.messages import LANGUAGES, Speech
from grader.model.devices import TESLA_T4
from grader.model.report import EngineInfo, Report
from grader.model.run import EngineKind
from grader.model.submission import SourceFile
from grader.report.redact import Audience
from grader.report.terminal.submission import single_report
from grader.store.sql_store import open_store
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "student" / "reports-in-three-languages.md"
RECORD = CHECKOUT / "tools" / "typical_reports.json"
WIDTH = 80
"""Columns of the terminal that the page shows."""

ENGINE = EngineInfo(kind=EngineKind.EMULATOR, device=TESLA_T4.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typical:
    """A submission of the sample class, and what its report shows."""

    lab: str
    file: str
    shows: str

    @property
    def student(self) -> str:
        """Who submitted it."""
        return Path(self.file).stem

    @property
    def path(self) -> Path:
        """The submitted file."""
        return CHECKOUT / "submissions" / self.lab / self.file

    @property
    def sources(self) -> tuple[SourceFile, ...]:
        """What was submitted."""
        return (SourceFile(name=self.file, data=self.path.read_bytes()),)


TYPICAL = (
    Typical(lab="matmul", file="student-05.cu", shows="A race: a barrier is missing"),
    Typical(lab="matmul", file="student-04.cu", shows="A wrong answer"),
    Typical(lab="matmul", file="student-09.cu", shows="A file that does not compile"),
    Typical(lab="vector-add", file="student-21.py", shows="Naive but right"),
    Typical(lab="transpose", file="student-01.cu", shows="Nothing left to earn without a GPU"),
)

_HEAD = """# Reports in three languages

Five submissions of the sample class as `grader check` shows them in a terminal of {width} columns, in each language of
reports. Reports, pages and feedback say the same: everything comes from one [catalogue](../reference/reasons.md).
Students choose their language with `--language`, a course with [`[results]`](../reference/grader-toml.md#results).

`python -m tools.typical_reports` writes this page.
"""


def recorded() -> tuple[Report, ...]:
    """The reports of ``TYPICAL``, in its order."""
    return tuple(msgspec.json.decode(RECORD.read_bytes(), type=list[Report]))


def shown(typical: Typical, report: Report, language: str) -> str:
    """What the student reads in a terminal."""
    output = StringIO()
    console = Console(file=output, width=WIDTH, color_system=None, highlight=False, legacy_windows=False)
    speech = Speech(language)
    console.print(single_report(report, ENGINE, typical.sources, Audience.STUDENT, speech=speech))
    return "".join(f"{line.rstrip()}\n" for line in output.getvalue().splitlines())


def page() -> str:
    """The page, with a section for each submission and a block for each language."""
    sections = (
        line
        for typical, report in zip(TYPICAL, recorded(), strict=True)
        for line in _section(typical, report)
    )
    return "\n".join([_HEAD.format(width=WIDTH), *sections]).rstrip("\n") + "\n"


def _section(typical: Typical, report: Report) -> Iterator[str]:
    yield f"## {typical.shows}\n"
    for language, name in LANGUAGES.items():
        yield f"### {name}: {typical.lab}, {typical.student}\n"
        yield f"```text\n{shown(typical, report, language)}```\n"


def graded() -> list[Report]:
    """The reports of ``TYPICAL`` by this release."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for typical in TYPICAL:
            copy = folder / "class" / typical.lab / typical.file
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(typical.path.read_bytes())
        command = "import sys; from grader.cli.app import main; main()"
        arguments = ["grade", "class", "--engine", "emulator", "--trust-submissions"]
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
        subprocess.run([sys.executable, "-c", command, *arguments], cwd=folder, env=environment, check=True)
        store = open_store(load(folder))
        try:
            scores = store.scores.latest_all()
            reports = store.scores.reports(scores).values()
        finally:
            store.close()
    by_work = {(report.lab, report.student): report for report in reports}
    return [by_work[typical.lab, typical.student] for typical in TYPICAL]


if __name__ == "__main__":
    if "--grade" in sys.argv[1:]:
        RECORD.write_bytes(msgspec.json.format(msgspec.json.encode(graded()), indent=1) + b"\n")
    PAGE.write_text(page(), encoding="utf-8")
