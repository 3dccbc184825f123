"""What decides the facts about a submission and its score, as digests: equal digests need no second run."""

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import grader
from grader.compile import toolchain
from grader.course.workspace import Workspace
from grader.digests import file_digests, value_digest
from grader.labs.lab import Lab
from grader.labs.versions import code_parts, code_version, rubric_digest, rubric_parts
from grader.model.report import EngineInfo, Isolation
from grader.model.submission import Submission
from grader.store.values import FactsKey

_WITHOUT_INFLUENCE = frozenset(
    {
        *("cli", "course", "execution", "report", "similarity", "messages", "store", "config", "intake"),
        *("profiling", "logs.py", "api", "client", "jupyter", "portal"),
    }
)
"""Parts of this package that change neither facts nor scores."""

SCORING = frozenset(
    f"judge/{name}.py"
    for name in (
        *("apply_review", "finding_costs", "kernel_report", "line_totals", "parts", "resources"),
        *("score", "speed", "speed_points", "structure", "technique", "technique_flaws"),
    )
)
"""Modules that only turn facts into a score."""

_BUNDLED_LABS = "labs/_bundled/"
"""Labs inside an installed package; each lab has a version of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A digest, and the digests of the parts that it covers, by name."""

    digest: str
    parts: Mapping[str, str]


class LabVersions:
    """The versions of the labs of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._known: dict[str, tuple[Version, Version]] = {}

    def code(self, lab: str) -> Version:
        """What decides the facts of a lab's submissions."""
        return self._of(lab)[0]

    def rubric(self, lab: str) -> Version:
        """What turns the facts of a lab's submissions into points: the rubric, settings and the code that scores."""
        return self._of(lab)[1]

    def _of(self, name: str) -> tuple[Version, Version]:
        if name not in self._known:
            lab = self.workspace.registry.get(name)
            self._known[name] = (
                Version(digest=code_version(lab), parts=code_parts(lab)),
                self._rubric(lab),
            )
        return self._known[name]

    def _rubric(self, lab: Lab) -> Version:
        settings = value_digest(self.workspace.config.scoring)
        own = {"scoring settings": settings, "scoring code": _scoring_code()}
        return Version(digest=value_digest((rubric_digest(lab), own)), parts={**rubric_parts(lab), **own})


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """What a run on ``engine`` in ``isolation`` uses."""

    workspace: Workspace
    labs: LabVersions
    engine: EngineInfo
    isolation: Isolation

    def facts_key(self, submission: Submission) -> FactsKey:
        """The key of the facts about ``submission``."""
        return self.facts_key_of(submission.digest, submission.lab)

    def facts_key_of(self, submission: str, lab: str) -> FactsKey:
        """The key of the facts about the work with the digest ``submission`` for ``lab``."""
        return FactsKey(
            submission=submission,
            lab=lab,
            lab_code=self.labs.code(lab).digest,
            engine=self.engine,
            toolchain=toolchain_version(self.workspace),
            trusted=self.isolation.trusted,
        )


def toolchain_version(workspace: Workspace) -> str:
    """The digest of what compiles, runs and checks: compilers, limits, and this package."""
    return value_digest((_facts_code(), sorted(toolchain().items()), workspace.config.limits))


@functools.cache
def _facts_code() -> str:
    return _package(lambda name: name not in SCORING)


@functools.cache
def _scoring_code() -> str:
    return _package(lambda name: name.startswith("judge/"))


def _package(counts: Callable[[str], bool]) -> str:
    (package,) = map(Path, grader.__path__)
    return value_digest(dict(_influential(file_digests(package).items(), counts)))


def _influential(
    files: Iterable[tuple[str, str]], counts: Callable[[str], bool]
) -> Iterable[tuple[str, str]]:
    for file, digest in files:
        name = file.replace(os.sep, "/")
        ours = name.partition("/")[0] not in _WITHOUT_INFLUENCE and not name.startswith(_BUNDLED_LABS)
        if ours and counts(name):
            yield name, digest
