"""Compare the submissions of a class to a lab, and those of former terms: evidence that changes no grade."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader import __version__
from grader.course.environment import open_environment
from grader.course.former_terms import former_submissions, newest_submissions
from grader.course.notifier import Notifier
from grader.course.records import Records
from grader.course.select import submissions_at
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.grading.environment import GradingEnvironment
from grader.grading.parallel_map import parallel_map_unordered
from grader.labs.lab import Lab
from grader.model.reason import reason
from grader.model.run import EngineKind
from grader.model.similarity import ComparedWork, SimilarityReport
from grader.model.submission import SourceFile, Submission
from grader.similarity.comparison import Comparison, Work
from grader.similarity.compiled import Fingerprinter, fingerprint_cache
from grader.similarity.handout import handout_fingerprints


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarRequest:
    """What to compare: the submissions at ``path``, or the newest that are stored.

    ``background`` are folders or backups of former terms. ``most`` pairs are listed. ``tokens_only``: compile nothing.
    """

    lab: str
    path: Path | None = None
    background: tuple[Path, ...] = ()
    most: int = 20
    tokens_only: bool = False
    trusted: bool = False
    jobs: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A report, when it was made (ISO 8601 in UTC) and by which release, and the files of every submission in it."""

    report: SimilarityReport
    created_at: str
    grader_version: str
    sources: Mapping[str, tuple[SourceFile, ...]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    submission: Submission
    term: str = ""
    team: frozenset[str] = frozenset()


def similar(workspace: Workspace, request: SimilarRequest, notifier: Notifier) -> Similar:
    """Compare all submissions of ``request``; each content is compiled once.

    Raises: ``UserError`` if there is nothing to compare or no sandbox; ``InfrastructureError``.
    """
    lab = workspace.registry.get(request.lab)
    candidates = [*_class(workspace, request), *_former(workspace, request)]
    if len(candidates) < 2:  # noqa: PLR2004 - a pair
        msg = f"There are not two submissions to {lab.name} to compare."
        raise UserError(msg, hint="Name a folder of submissions, or grade some with `grader grade PATH`.")
    compiles = not request.tokens_only and lab.manifest.program is None
    cancelled = threading.Event()
    with _opened(workspace, request, cancelled, notifier, compiles=compiles) as environment:
        fingerprinter = Fingerprinter(environment, fingerprint_cache())
        jobs = request.jobs or workspace.config.jobs.resolved(on_gpu=False)
        works = _works(lab, candidates, fingerprinter, jobs, cancelled, notifier)
        excluded = handout_fingerprints(lab, fingerprinter)
    report = Comparison(lab.name, works, excluded).report(request.most)
    return Similar(
        report=report,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        grader_version=__version__,
        sources={each.submission.digest: each.submission.files for each in candidates},
    )


def _class(workspace: Workspace, request: SimilarRequest) -> list[_Candidate]:
    with Records(workspace) as records:
        teams = {person.id: frozenset(person.groups) for person in records.store.people.list()}
        found = (
            newest_submissions(records.store, request.lab)
            if request.path is None
            else submissions_at(request.path, workspace, request.lab).submissions
        )
    return [_Candidate(each, team=teams.get(each.student, frozenset())) for each in found]


def _former(workspace: Workspace, request: SimilarRequest) -> Iterator[_Candidate]:
    for path in request.background:
        for submission in former_submissions(workspace, path, request.lab):
            yield _Candidate(submission, term=path.name or str(path))


@contextmanager
def _opened(
    workspace: Workspace,
    request: SimilarRequest,
    cancelled: threading.Event,
    notifier: Notifier,
    *,
    compiles: bool,
) -> Iterator[GradingEnvironment | None]:
    """Context manager: where the submissions are compiled, or ``None`` if nothing is."""
    if not compiles:
        yield None
        return
    choice = EngineKind.EMULATOR
    with open_environment(
        workspace, choice, cancelled, notifier, trusted=request.trusted, probe=False
    ) as environment:
        yield environment


def _works(  # noqa: PLR0913, PLR0917 - what the parallel steps share
    lab: Lab,
    candidates: Sequence[_Candidate],
    fingerprinter: Fingerprinter,
    jobs: int,
    cancelled: threading.Event,
    notifier: Notifier,
) -> list[Work]:
    def work(candidate: _Candidate) -> Work:
        submission = candidate.submission
        shown = ComparedWork(
            student=submission.student,
            term=candidate.term,
            language=submission.language,
            path=submission.path,
            digest=submission.digest,
        )
        return Work(shown=shown, fingerprints=fingerprinter.of(lab, submission), team=candidate.team)

    total = len(candidates)
    with notifier.status(reason("fingerprinting", done=0, total=total)) as update:
        works = []
        for each in parallel_map_unordered(work, candidates, jobs, cancelled):
            works.append(each)
            update(reason("fingerprinting", done=len(works), total=total))
    return sorted(works, key=lambda each: (each.shown.term, each.shown.student))
