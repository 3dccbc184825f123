"""The built submission that is graded, and the launches of its kernels."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.engines.symbols import symbol_in
from grader.grading.cases import CaseInputs, PreparedCase, lab_error, prepare
from grader.labs import plans
from grader.labs.geometry import GeometryError
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.labs.steps import SubmittedKernels
from grader.model.kernel import KernelSpec
from grader.model.module import DeviceModule
from grader.model.plan import Buffer, LaunchPlan, Transfer
from grader.model.reason import reason
from grader.model.run import LaunchJob
from grader.model.submission import Language


class UnbuiltKernelError(GeometryError):
    """The lab launches the kernel together with another one, which was not built."""


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

    def job(self, kernel: str, inputs: CaseInputs) -> LaunchJob:
        """Launch job of one kernel on one case. Raises: ``GeometryError`` for the student's geometry."""
        return launch_job(self.lab, self.module, self.lab.manifest.spec(kernel), inputs)


def launch_job(
    lab: Lab,
    module: DeviceModule,
    spec: KernelSpec,
    inputs: CaseInputs,
    macros: Mapping[str, int] | None = None,
) -> LaunchJob:
    """Launch job of ``spec`` from ``module`` on ``inputs``, with the kernel's geometry or else the lab's default.

    ``macros`` are the values that the module was built with in place of the lab's defaults.
    Raises: ``GeometryError``; ``UnbuiltKernelError`` if the plan has a kernel that ``module`` lacks, or fills a
    variable that the kernel does not read.
    """
    plan = plan_of(lab, module, spec, inputs.case, macros)
    there = {kernel.name for kernel in module.kernels}
    if unbuilt := [launch.kernel for launch in plan.launches if launch.kernel not in there]:
        raise UnbuiltKernelError(reason("launched-with-unbuilt-kernel", kernel=unbuilt[0]))
    for step in plan.steps:
        if step.transfer is not None and step.transfer.symbol_of:
            _check_symbol(module, step.transfer, plan.buffer(step.transfer.source))
    needed = {buffer.name for buffer in plan.buffers}
    return LaunchJob(
        module=module, plan=plan, inputs={name: data for name, data in inputs.data.items() if name in needed}
    )


def _check_symbol(module: DeviceModule, transfer: Transfer, source: Buffer) -> None:
    """Check that the student declares the variable that ``transfer`` fills. Raises: ``UnbuiltKernelError``."""
    kernel = module.kernel(transfer.symbol_of)
    symbol = symbol_in(module.units[kernel.unit].ptx, transfer.target)
    element, count = source.dtype.c_name, source.size
    if symbol is None:
        said = reason(
            "symbol-missing", kernel=kernel.name, symbol=transfer.target, element=element, elements=count
        )
        raise UnbuiltKernelError(said)
    if symbol.nbytes < source.nbytes:
        raise UnbuiltKernelError(
            reason(
                "symbol-too-small",
                kernel=kernel.name,
                symbol=transfer.target,
                element=element,
                elements=count,
                bytes=symbol.nbytes,
                needed=source.nbytes,
            )
        )


def plan_of(
    lab: Lab,
    module: DeviceModule,
    spec: KernelSpec,
    case: Case,
    macros: Mapping[str, int] | None = None,
) -> LaunchPlan:
    """Launch plan of ``job``, without the inputs. Raises: ``GeometryError``; ``LabError`` if the lab's code fails."""
    own = {kernel.name: kernel.geometry for kernel in module.kernels if kernel.geometry is not None}
    kernels = SubmittedKernels(lab.manifest.geometries | own, [kernel.name for kernel in module.kernels])
    names = {**case.sizes, **lab.manifest.macros, **(macros or {})}
    try:
        return plans.plan_of(lab, spec, case, kernels, names)
    except GeometryError:
        raise
    except Exception as error:
        raise lab_error(lab, case, error) from error
