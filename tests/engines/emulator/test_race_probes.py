"""Every way to leave accesses unordered is found at its line, and its correct neighbour gives no finding."""

import numpy as np
import pytest

from grader.model.diagnostic import DiagnosticKind, Severity
from tests.engines.emulator.race_probes import PROBES
from tests.engines.emulator.race_probes.probe import HEADER, Probe
from tools.emulator.compiling import InOut, Ran, run_cuda
from tools.messages import codes

ORDER = (
    DiagnosticKind.SHARED_RACE,
    DiagnosticKind.GLOBAL_RACE,
    DiagnosticKind.LANE_HAZARD,
    DiagnosticKind.INACTIVE_LANE,
)


def source_of(probe: Probe) -> str:
    return (
        f'{HEADER}\nextern "C" __global__ void k(const int* x, int* out, int* work, int n) {{\n'
        f"int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;\n{probe.body}\n}}\n"
    )


def run(probe: Probe) -> Ran:
    words = np.zeros(1024, np.int32)
    return run_cuda(
        source_of(probe),
        probe.blocks,
        probe.threads,
        {"x": np.arange(1024, dtype=np.int32), "out": InOut(words), "work": InOut(words), "n": probe.n},
    )


@pytest.mark.parametrize("name", [name for name, probe in PROBES.items() if probe.codes])
def test_a_mistake_is_found_at_its_line(name: str) -> None:
    probe = PROBES[name]
    ran = run(probe)
    assert ran.fault is None
    found = [d for d in ran.found(*ORDER) if d.severity is not Severity.NOTE]
    assert found, name
    lines = [number for number, text in enumerate(source_of(probe).splitlines(), 1) if "// here" in text]
    said = {code for d in found for code in codes(d.message)}
    assert said & set(probe.codes), said
    if lines:
        assert lines[0] in {line for d in found for line in (d.line, *(each.line for each in d.related))}


@pytest.mark.parametrize("name", [name for name, probe in PROBES.items() if not probe.codes])
def test_its_correct_neighbour_gives_no_finding(name: str) -> None:
    ran = run(PROBES[name])
    assert ran.fault is None
    assert [d for d in ran.found(*ORDER) if d.severity is not Severity.NOTE] == []
