"""What decides the facts about a submission and its score, as digests: equal digests need no second run."""

import functools
import os
from dataclasses import dataclass, field
from pathlib import Path

import grader
from grader.compile import toolchain
from grader.course.workspace import Workspace
from grader.digests import file_digests, value_digest
from grader.labs.versions import code_version, rubric_digest
from grader.model.report import EngineInfo, Isolation
from grader.model.submission import Submission
from grader.store.values import FactsKey

_WITHOUT_INFLUENCE = frozenset(
    {"cli", "course", "report", "messages", "store", "config", "intake", "profiling", "logs.py"}
)
"""Parts of this package that change neither facts nor scores."""

_BUNDLED_LABS = os.path.join("labs", "_bundled")  # noqa: PTH118 - a prefix of names, not a path
"""Labs inside an installed package; each lab has a version of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """Digests of what a run on ``engine`` in ``isolation`` would use."""

    workspace: Workspace
    engine: EngineInfo
    isolation: Isolation
    _labs: dict[str, tuple[str, str]] = field(default_factory=dict)

    def facts_key(self, submission: Submission) -> FactsKey:
        """The key of the facts about ``submission``."""
        return FactsKey(
            submission=submission.digest,
            lab=submission.lab,
            lab_code=self.lab_code(submission.lab),
            engine=self.engine,
            toolchain=self.toolchain,
            trusted=self.isolation.trusted,
        )

    @property
    def toolchain(self) -> str:
        """The digest of what compiles, runs and checks: compilers, limits, and this package."""
        return value_digest((_package(), sorted(toolchain().items()), self.workspace.config.limits))

    def lab_code(self, lab: str) -> str:
        """The digest of what decides the facts of a lab's submissions."""
        return self._of(lab)[0]

    def rubric(self, lab: str) -> str:
        """The digest of what turns the facts of a lab's submissions into points."""
        return value_digest((self._of(lab)[1], self.workspace.config.scoring))

    def _of(self, lab: str) -> tuple[str, str]:
        if lab not in self._labs:
            known = self.workspace.registry.get(lab)
            self._labs[lab] = (code_version(known), rubric_digest(known))
        return self._labs[lab]


@functools.cache
def _package() -> str:
    (package,) = map(Path, grader.__path__)
    files = {
        name: digest
        for name, digest in file_digests(package).items()
        if Path(name).parts[0] not in _WITHOUT_INFLUENCE and not name.startswith(_BUNDLED_LABS)
    }
    return value_digest(files)
