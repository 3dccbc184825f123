"""A course's own points, thresholds, visibility and title for a lab: ``[labs.<name>]`` in ``grader.toml``.

An overlay changes where jobs run, and how facts are scored and shown, never the facts:
of ``labs.versions`` only ``rubric_digest`` changes, unless a speed rule asks for a rung that was not timed, or another
case becomes the largest public one.
"""

from collections.abc import Collection
from dataclasses import replace

import msgspec

from grader.config.table import Table
from grader.config.wording import nearest
from grader.errors import UserError
from grader.labs.consistency import check_patterns, check_rubric
from grader.labs.convert import ManifestError, convert, refuse
from grader.labs.finding_rules import FindingTables, finding_rules
from grader.labs.manifest import Case, Manifest, Rubric
from grader.labs.needs import NeedsTable, needs_of
from grader.labs.program_tables import StructureTable, structure_rules
from grader.labs.rubric_tables import SpeedTable, TechniqueTable, speed_rules, technique_rules
from grader.model.report import Visibility


class _RubricTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    correctness: float | None = None
    agreement: float | None = None
    technique: list[TechniqueTable] | None = None
    structure: list[StructureTable] | None = None
    speed: list[SpeedTable] | None = None
    findings: FindingTables | None = None
    weights: dict[str, float] | None = None


class _OverlayTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    replace: bool = False
    title: str | None = None
    summary: str | None = None
    files: list[str] | None = None
    visibility: dict[str, Visibility] = {}
    needs: NeedsTable | None = None
    rubric: _RubricTable = msgspec.field(default_factory=_RubricTable)


class Overlay:
    """The table of one lab. What it leaves out stays as in ``lab.toml``.

    An array, or the table of findings, replaces the lab's whole one.
    """

    def __init__(self, table: Table) -> None:
        """Raises: ``UserError``, one line with file and line number."""
        self._table = table
        try:
            self._content = convert(table.content, _OverlayTable, table.path)
        except ManifestError as error:
            raise self._error(error) from None

    def check_name(self, labs: Collection[str], *, complete: bool) -> None:
        """Check that the table names one of ``labs``, which are all there are if they are ``complete``.

        Raises: ``UserError``.
        """
        name = str(self._table.path[-1])
        if complete and name not in labs:
            near = nearest(name, labs)
            hint = f"did you mean {near!r}?" if near else f"the labs are {', '.join(sorted(labs))}"
            raise self._error(ManifestError(f"there is no lab called {name!r}; {hint}"))

    def check_replacement(self, *, exists: bool) -> None:
        """Check that a lab that shall replace another ``exists``. Raises: ``UserError``."""
        if self.replaces and not exists:
            problem = "replace needs a lab of this name in a folder of labs.folders, and there is none"
            raise self._error(ManifestError(problem, ("replace",)))

    @property
    def replaces(self) -> bool:
        """Whether the course's lab of this name takes the place of an installed one."""
        return self._content.replace

    def applied(self, manifest: Manifest) -> Manifest:
        """``manifest`` as the course wants it. Raises: ``UserError`` for a name that the lab does not have."""
        content = self._content
        try:
            changed = replace(
                manifest,
                title=manifest.title if content.title is None else content.title,
                summary=manifest.summary if content.summary is None else content.summary,
                files=manifest.files if content.files is None else tuple(content.files),
                cases=_cases(manifest.cases, content.visibility),
                rubric=_rubric(manifest, content.rubric),
                needs=manifest.needs if content.needs is None else needs_of(content.needs),
            )
            check_patterns(changed.files)
            check_rubric(changed)
        except ManifestError as error:
            raise self._error(error) from None
        return changed

    def _error(self, mistake: ManifestError) -> UserError:
        """``mistake`` with its line."""
        line = self._table.located(mistake.where, mistake.problem)
        return UserError(line if line.endswith("?") else f"{line}.")


def _cases(cases: tuple[Case, ...], visibility: dict[str, Visibility]) -> tuple[Case, ...]:
    known = [case.name for case in cases]
    for name in visibility:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near!r}?" if near else f"its cases are {', '.join(known)}"
            refuse(f"the lab has no case {name!r}; {hint}", "visibility", name)
    return tuple(replace(case, visibility=visibility.get(case.name, case.visibility)) for case in cases)


def _rubric(manifest: Manifest, table: _RubricTable) -> Rubric:
    own = manifest.rubric
    return Rubric(
        correctness=own.correctness if table.correctness is None else table.correctness,
        agreement=own.agreement if table.agreement is None else table.agreement,
        technique=own.technique if table.technique is None else technique_rules(table.technique),
        structure=own.structure if table.structure is None else structure_rules(table.structure),
        speed=own.speed
        if table.speed is None
        else speed_rules(table.speed, manifest.baseline, manifest.program),
        findings=own.findings if table.findings is None else finding_rules(table.findings),
        weights=own.weights if table.weights is None else table.weights,
    )
