"""A class of the portal's benchmarks: its course, its earlier grades, and everybody signed in."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.config import load
from grader.course.accounts import sessions
from grader.course.accounts.members import set_role
from grader.course.workspace import Workspace
from grader.model.reason import as_written
from grader.model.report import EngineInfo, Report
from grader.model.run import EngineKind
from grader.model.signing_in import SignedInBy
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.policy.access import Role
from grader.store.attempts import Attempt
from grader.store.people import Person
from grader.store.ports import Store
from grader.store.values import NewScore, SubmissionKey

LAB = "vector-add"
"""What everybody submits to at the deadline."""

ASSISTANT = "assistant"

_SOURCE = """// submission {number}
__global__ void vector_add(const float* a, const float* b, float* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}}
"""

_SETTINGS = """
[engine]
kind = "emulator"
[jobs]
count = 1
[scoring]
modelled_speedups = true
[store]
url = "{url}"
"""

_BAD = (Verdict.WRONG, Verdict.FAILED_TO_BUILD, Verdict.CRASHED, Verdict.TIMED_OUT)


def source(number: int) -> bytes:
    """A right submission that differs from every other."""
    return _SOURCE.format(number=number).encode()


def student(number: int) -> str:
    """The id of a student."""
    return f"s{number:04}"


def make(folder: Path, url: str, students: int, labs: int) -> Workspace:
    """Make the course of ``labs`` labs in the empty ``folder``: all but ``LAB`` are graded."""
    (folder / "grader.toml").write_text(_SETTINGS.format(url=url), encoding="utf-8")
    workspace = Workspace(config=load(folder)).sharing_store()
    names = [LAB, *(name for name in sorted(workspace.registry.labs) if name != LAB)][:labs]
    due = datetime.now(UTC) + timedelta(hours=1)
    tables = "\n".join(f'[labs.{name}]\ndue = "{due:%Y-%m-%d %H:%M}"' for name in names)
    (folder / "course.toml").write_text(
        f'[course]\ntitle = "GPU programming"\ntime_zone = "UTC"\nsections = ["A", "B"]\n{tables}\n',
        encoding="utf-8",
    )
    assert workspace.store is not None
    people = [
        Person(id=student(number), name=f"Student {number}", section="AB"[number % 2])
        for number in range(students)
    ]
    workspace.store.people.put_all(people)
    _grade(workspace.store, students, names[1:])
    set_role(workspace, ASSISTANT, Role.ASSISTANT, "An assistant")
    return workspace


def sign_in(workspace: Workspace, students: int) -> Mapping[str, str]:
    """The secret of a session of each student and of the assistant, by person."""
    people = [ASSISTANT, *(student(number) for number in range(students))]
    return {each: sessions.begin(workspace, each, SignedInBy.LINK, "a benchmark") for each in people}


def _grade(store: Store, students: int, labs: list[str]) -> None:
    now = datetime.now(UTC) - timedelta(days=1)
    attempts, scores = [], []
    for number, work in enumerate(_works(students, labs)):
        store.submissions.put(work, now)
        attempts.append(
            Attempt(
                student=work.student,
                lab=work.lab,
                source=f"portal {number}",
                submission=work.digest,
                submitted_at=now,
                received_at=now,
            )
        )
        scores.append(
            NewScore(
                key=SubmissionKey(student=work.student, lab=work.lab, digest=work.digest),
                facts=None,
                lab_code="code",
                rubric="rubric",
                engine=EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4"),
                report=_report(work, number),
            )
        )
    store.attempts.put_all(attempts)
    store.scores.put_all(scores, now)


def _works(students: int, labs: list[str]) -> Iterator[Submission]:
    """One of thirteen did not submit."""
    for place, lab in enumerate(labs):
        for number in range(students):
            if (place + number) % 13:
                file = SourceFile(name=f"{lab}.cu", data=source(number))
                yield Submission(
                    student=student(number),
                    lab=lab,
                    language=Language.CUDA_C,
                    files=(file,),
                    path=f"{lab}/{student(number)}.cu",
                )


def _report(work: Submission, number: int) -> Report:
    verdict = _BAD[number // 4 % len(_BAD)] if number % 4 == 0 else Verdict.ACCEPTED
    return Report(
        student=work.student,
        lab=work.lab,
        file=work.path,
        language=work.language,
        verdict=verdict,
        reason=as_written("graded before"),
        score=100.0 - number % 7 if verdict is Verdict.ACCEPTED else float(number % 60),
        max_score=100.0,
        parts=(),
        kernels=(),
    )
