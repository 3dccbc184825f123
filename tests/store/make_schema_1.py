"""Make ``data/schema-1.sqlite``, a store of the release before schema 2, with the code of that release.

``python -m tests.store.make_schema_1`` takes the code out of the repository's history. The store has records of two
labs, engines and lab versions, two gradings of one submission, a flagged one with decisions, a decision about a record
that is gone, and damaged rows.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.paths import CHECKOUT
from tools.tar import unpack_tar

COMMIT = "dcc3fd9"
FILE = Path(__file__).parent / "data" / "schema-1.sqlite"

_SCRIPT = """
import sqlite3, sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from grader.config.settings import Config, StoreSettings
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.store.sql import open_store
from tests.store.records import record, review

file = sys.argv[1]
store = open_store(Config(base=Path("/"), store=StoreSettings(url=f"sqlite:///{file}")))

def graded(student, lab="row-sum", *, verdict=Verdict.ACCEPTED, speedup=2.0, minutes=0.0, submission="aa", **key):
    made = record(student, lab, minutes=minutes, submission=submission * 32)
    (kernel,) = made.report.kernels
    kernel = replace(kernel, verdict=verdict, speedup=replace(kernel.speedup, value=speedup))
    report = replace(made.report, verdict=verdict, kernels=(kernel,), lab_version="1.0")
    return replace(made, report=report, key=replace(made.key, **key))

flagged = graded("student-02", verdict=Verdict.SUSPICIOUS, minutes=3)
gone = graded("student-09", verdict=Verdict.SUSPICIOUS, minutes=4)
records = [
    graded("student-01", speedup=2.0, minutes=1),
    graded("student-01", speedup=3.0, minutes=2, grader="newer"),
    graded("student-01", speedup=4.0, minutes=5, submission="bb"),
    graded("student-01", "matmul", verdict=Verdict.WRONG, minutes=6),
    flagged,
    gone,
    graded("Zoë <b>\U0001f469\u200d\U0001f4bb</b> 'O\\"Neil'", minutes=7),
    graded("student-03", minutes=-60, lab_version="older"),
    graded("damaged-report", minutes=8),
    graded("damaged-key", minutes=9),
]
for each in reversed(records):
    store.put(each)
modelled = graded("student-01", minutes=10)
engine = replace(modelled.key.engine, kind=EngineKind.CUDA, device="NVIDIA H200")
store.put(replace(modelled, key=replace(modelled.key, engine=engine)))
store.add_review(flagged.key.submission_key, review("first look"))
store.add_review(gone.key.submission_key, review("of a record that is gone"))
store.add_review(flagged.key.submission_key, review("second look"))
store.close()
with closing(sqlite3.connect(file)) as database:
    database.execute("DELETE FROM graded_records WHERE student = 'student-09'")
    damages = (("report", "damaged-report", b'{"student": 3'), ("run_key", "damaged-key", b"no json"))
    for column, student, damaged in damages:
        database.execute(f"UPDATE graded_records SET {column} = ? WHERE student = ?", (damaged, student))
    database.commit()
    database.execute("PRAGMA journal_mode = DELETE")
"""


def main() -> None:
    """Write the file."""
    command = ["git", "archive", COMMIT, "grader", "tests"]
    archive = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True).stdout
    FILE.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        unpack_tar(archive, Path(folder))
        environment = {**os.environ, "PYTHONPATH": folder}
        subprocess.run([sys.executable, "-c", _SCRIPT, str(FILE)], cwd=folder, env=environment, check=True)


if __name__ == "__main__":
    main()
