"""The submission being graded, and the results of its kernels so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.grading.cases import CaseInputs, PreparedCase, lab_error, prepare
from grader.grading.diagnostics import about_speed
from grader.labs.geometry import GeometryError
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.model.diagnostic import Diagnostic
from grader.model.kernel import KernelSpec
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.reason import as_written
from grader.model.report import CaseReport, Visibility
from grader.model.run import Counters, Fault, LaunchJob, RunResult, TimedComparison
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap


@dataclass(slots=True, kw_only=True)
class KernelRecord:
    """Results of one kernel. ``fault``: why it cannot be run or timed, regardless of its cases.

    ``timed_out_in`` names the case that exceeded its time limit; later cases are not run. ``counters`` has one entry
    per completed case, ``comparisons`` one per rung. ``observed`` holds the emulator's counters of the case that the
    report shows, empty until the kernel completes that case; ``rungs_observed`` holds the counters of the rungs that
    the kernel was timed against. ``printed`` is the output of the first public case in which the kernel printed.
    """

    spec: KernelSpec
    fault: Fault | None = None
    cases: list[CaseReport] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    counters: dict[str, tuple[Counters, ...]] = field(default_factory=dict)
    observed: tuple[Counters, ...] = ()
    printed: str = ""
    timed_out_in: str | None = None
    comparisons: dict[str, TimedComparison] = field(default_factory=dict)
    rungs_observed: dict[str, tuple[Counters, ...]] = field(default_factory=dict)

    def add_run(self, case: Case, result: RunResult, observed: Case | None) -> None:
        """Add the counters, findings and output of a run of ``case``."""
        self.diagnostics += [d for d in result.diagnostics if case == observed or not about_speed(d)]
        if result.fault is None and result.counters:
            self.counters[case.name] = result.counters
            if case == observed:
                self.observed = result.counters
        if case.visibility is Visibility.PUBLIC and not self.printed:
            self.printed = result.printed

    @property
    def all_cases_passed(self) -> bool:
        """Whether every case that ran passed; false if none ran."""
        return bool(self.cases) and all(case.verdict.earns_correctness for case in self.cases)

    def add_case(self, case: Case, verdict: Verdict, reason: str, wrong_map: WrongMap | None = None) -> None:
        """Add the verdict of ``case``."""
        self.cases.append(replace(_case_report(case, verdict, reason), wrong_map=wrong_map))

    def replace_verdict(self, case: Case, verdict: Verdict, reason: str) -> None:
        """Replace the verdict of ``case``, and discard all times."""
        names = [known.name for known in self.cases]
        index = names.index(case.name) if case.name in names else len(names)
        self.cases[index : index + 1] = [_case_report(case, verdict, reason)]
        self.comparisons.clear()


def _case_report(case: Case, verdict: Verdict, reason: str) -> CaseReport:
    return CaseReport(name=case.name, visibility=case.visibility, verdict=verdict, reason=as_written(reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingContext:
    """A built submission of a lab, and the cases to run.

    ``seed`` determines the inputs. ``observed`` is the case on which the emulator observes memory accesses.
    """

    lab: Lab
    language: Language
    module: DeviceModule
    cases: tuple[Case, ...]
    observed: Case | None
    seed: int
    kernels: Mapping[str, KernelRecord]
    _prepared_cases: dict[str, PreparedCase] = field(default_factory=dict)

    def prepared(self, case: Case) -> PreparedCase:
        """Inputs and expected outputs of ``case``. Those of the timing case are cached, as they are used twice.

        Raises: ``InfrastructureError``.
        """
        found = self._prepared_cases.get(case.name) or prepare(self.lab, case, self.seed)
        if case == self.timing_case:
            self._prepared_cases[case.name] = found
        return found

    def prepare_timing_case(self) -> None:
        """Prepare the timing case, which is slow, before a device is locked. Raises: as ``prepared``."""
        if self.timing_case is not None:
            self.prepared(self.timing_case)

    def cases_for(self, use: Use) -> list[Case]:
        """Cases of one use, in order."""
        return [case for case in self.cases if use in case.use]

    @property
    def timing_case(self) -> Case | None:
        """The case on which kernels are timed: the last of the manifest's that is run; visibility does not matter."""
        order = [case.name for case in self.lab.manifest.cases]
        return max(self.cases_for(Use.TIME), key=lambda case: order.index(case.name), default=None)

    def job(self, spec: KernelSpec, inputs: CaseInputs) -> LaunchJob:
        """Launch job of one kernel on one case. Raises: ``GeometryError`` for the student's geometry."""
        return launch_job(self.lab, self.module, spec, inputs)


def launch_job(
    lab: Lab,
    module: DeviceModule,
    spec: KernelSpec,
    inputs: CaseInputs,
    macros: Mapping[str, int] | None = None,
) -> LaunchJob:
    """Launch job of ``spec`` from ``module`` on ``inputs``, with the kernel's geometry or else the lab's default.

    ``macros`` are the values that the module was built with in place of the lab's defaults.
    Raises: ``GeometryError``.
    """
    plan = plan_of(lab, module, spec, inputs.case, macros)
    needed = {buffer.name for buffer in plan.buffers}
    return LaunchJob(
        module=module, plan=plan, inputs={name: data for name, data in inputs.data.items() if name in needed}
    )


def plan_of(
    lab: Lab,
    module: DeviceModule,
    spec: KernelSpec,
    case: Case,
    macros: Mapping[str, int] | None = None,
) -> LaunchPlan:
    """Launch plan of ``job``, without the inputs. Raises: ``GeometryError``; ``LabError`` if the lab's code fails."""
    geometry = module.kernel(spec.name).geometry or lab.manifest.kernel(spec.name).launch
    names = {**case.sizes, **lab.manifest.macros, **(macros or {})}
    try:
        return lab.plan_for(spec, case, geometry, names)
    except GeometryError:
        raise
    except Exception as error:
        raise lab_error(lab, case, error) from error
