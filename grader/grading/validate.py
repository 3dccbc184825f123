"""Validate a lab: rungs are right and get faster, the starter earns nothing, every mutant is caught."""

import dataclasses
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.errors import InfrastructureError
from grader.grading.cases import REFERENCE_SEED
from grader.grading.environment import GradingEnvironment
from grader.grading.mutant_expectations import is_alarm, marked_lines, misplaced
from grader.grading.mutants import Mutant, files_of_rungs, mutant_files, read_mutant
from grader.grading.parallel_map import parallel_map_unordered
from grader.grading.rungs import RungModules, rung_files, rung_sources, submission_of
from grader.grading.submission import grade
from grader.judge.parts import part_names
from grader.labs.lab import Lab
from grader.labs.ladder import RungKernel, ladders, steps
from grader.labs.manifest import Rung
from grader.languages import by_suffix, installed, languages_of, support
from grader.messages import render
from grader.model.diagnostic import Diagnostic
from grader.model.report import Report
from grader.model.submission import Language
from grader.model.verdict import Verdict, all_cases_passed

MINIMUM_MUTANTS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Result of one check of a lab; ``detail`` says what was observed."""

    lab: str
    check: str
    passed: bool
    detail: str


def validate(lab: Lab, environment: GradingEnvironment) -> Iterator[Finding]:
    """Yield each finding about ``lab`` as it is made."""
    yield from _Validation(lab, environment).findings()


def validate_all(
    labs: Sequence[Lab], environment: GradingEnvironment, jobs: int, cancelled: threading.Event
) -> Iterator[list[Finding]]:
    """Yield the findings about ``labs`` as each lab finishes; ``jobs`` labs run at a time.

    ``cancelled`` must be the event that the environment's sandbox checks: when one lab fails, it stops the others.
    """
    yield from parallel_map_unordered(lambda lab: list(validate(lab, environment)), labs, jobs, cancelled)


class _Validation:
    def __init__(self, lab: Lab, environment: GradingEnvironment) -> None:
        self.lab = lab
        # The ladder must earn all speed points on any engine.
        self.rungs = RungModules(dataclasses.replace(environment, modelled_counts=True))
        self.times: dict[tuple[Language, RungKernel], float] = {}

    def findings(self) -> Iterator[Finding]:
        yield from self._texts()
        for rung in self.lab.manifest.rungs:
            for language in rung_sources(self.lab, rung):
                yield self._guarded(f"rung {rung.name} ({language})", partial(self._rung, rung, language))
        for language in self._languages():
            yield self._guarded(f"full solution ({language})", partial(self._solution, language))
            yield self._ladder(language)
            yield self._guarded(f"starter ({language})", partial(self._starter, language))
        yield from self._mutants()

    def _texts(self) -> Iterator[Finding]:
        for name in map(handout_name, self.lab.manifest.handouts):
            there = (self.lab.folder / name).is_file()
            yield self._finding("handout", there, name if there else f"there is no {name}")
        derivation = self.lab.manifest.tolerance.derivation.strip()
        yield self._finding(
            "tolerance", bool(derivation), "derived" if derivation else "its derivation is empty"
        )

    def _languages(self) -> list[Language]:
        """Languages in which a submission can implement the whole lab."""
        if self.lab.manifest.program is not None:
            written = [
                language for rung in self.lab.manifest.rungs for language in rung_sources(self.lab, rung)
            ]
            return list(dict.fromkeys(written))
        kernels = self.lab.manifest.kernels
        return [
            key
            for key in installed()
            if self.lab.manifest.takes(key) and all(key in languages_of(kernel.spec) for kernel in kernels)
        ]

    def _rung(self, rung: Rung, language: Language) -> tuple[bool, str]:
        report = self._grade(rung_files(self.lab, rung, language), language, f"rung {rung.name}")
        wanted = [kernel for kernel in report.kernels if kernel.name in rung.kernels]
        for kernel in wanted:
            if kernel.verdict is not Verdict.ACCEPTED:
                return False, f"{kernel.name} is {kernel.verdict}: {render(kernel.reason)}"
            if alarm := next(filter(is_alarm, kernel.diagnostics), None):
                return (
                    False,
                    f"{kernel.name}: {alarm.kind} at line {alarm.line}, a false alarm: {render(alarm.message)}",
                )
            if kernel.seconds is not None:
                self.times[language, RungKernel(rung=rung.name, kernel=kernel.name)] = kernel.seconds
        return True, render(all_cases_passed(sum(len(kernel.cases) for kernel in wanted)))

    def _solution(self, language: Language) -> tuple[bool, str]:
        """Check that the highest rungs, which together implement every kernel, get full marks."""
        best: dict[str, Rung] = {}
        for rung in self.lab.manifest.rungs:
            if language in rung_sources(self.lab, rung):
                best |= dict.fromkeys(rung.kernels, rung)
        if len(best) < len(self.lab.manifest.graded):
            return False, "no rungs for every kernel"
        report = self._grade(files_of_rungs(self.lab, best.values(), language), language, "full solution")
        lost = [part for part in report.parts if part.score < part.max_score]
        if report.verdict is not Verdict.ACCEPTED or lost:
            reasons = "; ".join(f"{part.name}: {render(part.reason)}" for part in lost)
            return (
                False,
                f"{report.verdict} with {report.score:g} points ({reasons or render(report.reason)})",
            )
        return True, f"{report.score:g} of {report.max_score:g} points"

    def _ladder(self, language: Language) -> Finding:
        times = {entry: seconds for (of, entry), seconds in self.times.items() if of == language}
        rising = [
            [entry for entry in ladder if entry in times] for ladder in ladders(self.lab.manifest, language)
        ]
        falls = [
            f"{higher} is slower than {lower}"
            for ladder in rising
            for lower, higher in steps(ladder)
            if times[higher] > times[lower]
        ]
        shown = ", ".join(f"{entry} {seconds * 1e6:.2f} us" for entry, seconds in times.items())
        compared = any(map(steps, rising))
        detail = "; ".join([*falls, shown or "nothing was timed"])
        return self._finding(f"ladder ({language})", compared and not falls, detail)

    def _starter(self, language: Language) -> tuple[bool, str]:
        suffix = support(language).suffix
        paths = sorted((self.lab.folder / "starter").glob(f"*{suffix}"))
        if not paths:
            return False, f"there is no starter/*{suffix}"
        report = self._grade(paths, language, "starter")
        harmless = report.verdict is Verdict.WRONG and report.score == 0
        return harmless, f"{report.verdict} with {report.score:g} points: {render(report.reason)}"

    def _mutants(self) -> Iterator[Finding]:
        paths = sorted(path for path in (self.lab.folder / "mutants").glob("*") if path.suffix in by_suffix())
        enough = len(paths) >= MINIMUM_MUTANTS
        yield self._finding("mutants", enough, f"{len(paths)} there, at least {MINIMUM_MUTANTS} needed")
        for path in paths:
            yield self._guarded(f"mutant {path.name}", partial(self._mutant, path))

    def _mutant(self, path: Path) -> tuple[bool, str]:
        mutant = read_mutant(path)
        language = by_suffix()[path.suffix].key
        report = self._grade(mutant_files(self.lab, mutant), language, "mutant")
        found = [diagnostic for kernel in report.kernels for diagnostic in kernel.diagnostics]
        seen = f"{report.verdict}: {render(report.reason)}"
        flaw = self._flaw(mutant, report, found)
        if flaw is None:
            return True, seen
        kinds = ", ".join(sorted({diagnostic.kind for diagnostic in found})) or "none"
        return False, f"{flaw}; expected {mutant.expectation}; found {seen} (diagnostics: {kinds})"

    def _flaw(self, mutant: Mutant, report: Report, found: Sequence[Diagnostic]) -> str | None:
        """How a mutant's report differs from what its first line states."""
        if report.verdict is not mutant.verdict:
            return f"it is {report.verdict}, and not {mutant.verdict}"
        if mutant.diagnostic is not None and mutant.diagnostic not in {each.kind for each in found}:
            return f"no {mutant.diagnostic} is found"
        if flaw := misplaced(found, marked_lines(mutant.path), mutant.diagnostic):
            return flaw
        lost = _lost(report, part_names(self.lab.manifest).get(mutant.part or "", frozenset()))
        if mutant.part is not None and not lost:
            return f"it loses no point for {mutant.part}"
        if mutant.loses not in {None, lost}:
            return f"it loses {lost:g} points for {mutant.part}, and not {mutant.loses:g}"
        return None

    def _grade(self, paths: list[Path], language: Language, name: str) -> Report:
        submission = submission_of(self.lab, paths, language, name)
        return grade(self.lab, submission, self.rungs, REFERENCE_SEED)

    def _guarded(self, check: str, prove: Callable[[], tuple[bool, str]]) -> Finding:
        try:
            passed, detail = prove()
        except (InfrastructureError, ValueError) as error:
            passed, detail = False, str(error)
        return self._finding(check, passed, detail)

    def _finding(self, check: str, passed: bool, detail: str) -> Finding:  # noqa: FBT001 - a finding is a yes or a no
        return Finding(lab=self.lab.name, check=check, passed=passed, detail=detail)


def _lost(report: Report, names: Collection[str]) -> float:
    """The points that the parts called ``names`` lose."""
    return round(sum(part.max_score - part.score for part in report.parts if part.name in names), 2)


def handout_name(language: str) -> str:
    """The file of the handout in a language given by its ISO 639-1 code."""
    return "README.md" if language == "en" else f"README.{language}.md"
