"""Second half of a build: PTX to device code, in a process that reads no student source.

The process that made the PTX read hostile source: its claims are not trusted. This module establishes everything that
grading relies on: which kernels exist and which parameters they take, whether they keep the lab's rules, and which
resources the assembler reports for them.
"""

import re

from grader.compile.device_probes import device_probe
from grader.compile.failure import BuildFailed
from grader.compile.forbidden import check_names, clock_reading, forbidden_in_kernel
from grader.compile.ptx import Entry, entries
from grader.compile.resources import Linked, link
from grader.model.arguments import ArgumentMap, Passed
from grader.model.build import AssemblyRequest, BuildOutcome
from grader.model.kernel import KernelSpec, Param
from grader.model.module import Abi, BuiltKernel, DeviceModule, DeviceUnit, FoundKernel
from grader.model.reason import reason
from grader.model.run import Fault

_ADDRESS_BYTES = 8
_NUMBA_FIELDS = 5
_TYPE = re.compile(r"[a-z]+(?P<bits>\d+)(?:\[(?P<count>\d+)\])?")


def assemble(request: AssemblyRequest) -> BuildOutcome:
    """Assemble every kernel that can be assembled, and report why the others cannot.

    Raises: ``UserError`` where the toolchain or the lab is at fault, ``InfrastructureError`` where a tool fails.
    """
    check_names(request.forbid)
    specs = {spec.name: spec for spec in request.kernels}
    units = [_Unit(request, index) for index in range(len(request.module.units))]
    kernels: list[BuiltKernel] = []
    problems: dict[str, Fault] = {}
    for found in request.module.kernels:
        try:
            kernels.append(units[found.unit].kernel(found, specs[found.name]))
        except BuildFailed as failure:
            problems[found.name] = failure.fault
    if not kernels:
        return BuildOutcome(fault=next(iter(problems.values()), None), problems=problems)
    module = DeviceModule(
        units=tuple(unit.built for unit in units),
        kernels=tuple(kernels),
        user_files=request.module.user_files,
    )
    return BuildOutcome(module=module, problems=problems)


class _Unit:
    """One translation unit, assembled when the first of its kernels is requested."""

    def __init__(self, request: AssemblyRequest, index: int) -> None:
        self._request = request
        self._ptx = request.module.units[index]
        self._files = request.module.user_files
        self._entries = {entry.symbol: entry for entry in entries(self._ptx.ptx)}
        self._linked: Linked | BuildFailed | None = None

    @property
    def built(self) -> DeviceUnit:
        """The unit, with a cubin if a kernel of it was linked."""
        cubins = {self._request.arch: self._linked.cubin} if isinstance(self._linked, Linked) else {}
        return DeviceUnit(name=self._ptx.name, ptx=self._ptx.ptx, cubins=cubins)

    def kernel(self, found: FoundKernel, spec: KernelSpec) -> BuiltKernel:
        """Check and link one kernel. Raises: ``BuildFailed``."""
        entry = self._entries.get(found.symbol)
        if entry is None:
            raise BuildFailed(reason("kernel-not-in-code", kernel=spec.name))
        if not _accepts(entry, spec.params, found):
            raise BuildFailed(reason("compiled-parameters-differ", kernel=spec.name))
        if said := forbidden_in_kernel(self._ptx.ptx, entry, self._request.forbid, self._files):
            raise BuildFailed(said)
        return BuiltKernel(
            name=found.name,
            symbol=found.symbol,
            unit=found.unit,
            abi=found.abi,
            geometry=found.geometry,
            line=found.line,
            file=found.file,
            arguments=found.arguments,
            host_origin=found.host_origin,
            unread_launch=found.unread_launch,
            unset_symbols=found.unset_symbols,
            params=spec.params,
            resources=self._link().resources[found.symbol],
            clock_reading=clock_reading(self._ptx.ptx, entry, self._files),
            device_probe=device_probe(self._ptx.ptx, entry, _pointers(spec.params, found), self._files),
        )

    def _link(self) -> Linked:
        if self._linked is None:
            try:
                self._linked = link(
                    self._ptx.ptx, self._request.arch, self._files, max_registers=self._ptx.max_registers
                )
            except BuildFailed as failure:
                self._linked = failure
        if isinstance(self._linked, BuildFailed):
            raise self._linked
        return self._linked


def _accepts(entry: Entry, params: tuple[Param, ...], found: FoundKernel) -> bool:
    """Whether a kernel has the ``.param`` entries that its claimed arguments need."""
    arguments = found.arguments or ArgumentMap.identity(params)
    sizes = (size for each in arguments.passed for size in _entry_sizes(each, params, found.abi))
    return arguments.suits(params) and list(map(_bytes, entry.params)) == list(sizes)


def _entry_sizes(passed: Passed, params: tuple[Param, ...], abi: Abi) -> list[int]:
    """The sizes in bytes of the ``.param`` entries for one argument under ``abi``."""
    if passed.dtype is None:
        fields = _NUMBA_FIELDS + 2 * params[passed.source].rank if abi is Abi.NUMBA else 1
        return [_ADDRESS_BYTES] * fields
    if abi is Abi.NUMBA:
        return [number.itemsize for number in passed.dtype.numbers]
    return [passed.dtype.itemsize]


def _pointers(params: tuple[Param, ...], found: FoundKernel) -> set[int]:
    """Positions of the ``.param`` entries that are addresses of arrays."""
    positions, position = set(), 0
    for passed in (found.arguments or ArgumentMap.identity(params)).passed:
        if passed.dtype is None:
            positions.add(position + (_NUMBA_FIELDS - 1 if found.abi is Abi.NUMBA else 0))
        position += len(_entry_sizes(passed, params, found.abi))
    return positions


def _bytes(kind: str) -> int:
    """The size in bytes of a PTX type such as ``u64`` or ``b8[16]``; 0 for any other text."""
    match = _TYPE.fullmatch(kind)
    return int(match["bits"]) // 8 * int(match["count"] or 1) if match else 0
