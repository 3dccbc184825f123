"""``grader calibrate`` on a real GPU: every rung has a measured time, ladders rise, thresholds are within reach.

These tests calibrate two short labs. Calibrating all labs takes minutes; those results are recorded under
``benchmarks/results``.
"""

import json
from pathlib import Path
from statistics import median

import pytest

from grader.labs.ladder import RungKernel, ladders, steps
from grader.labs.manifest import Use
from grader.model.confidence import EARLY_CHECKPOINT
from grader.model.ladder import LadderReport
from grader.model.report import SpeedupKind
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.report import calibrations
from tests.gpu.commands import grader
from tests.gpu.session_lock import GpuLock
from tools.rung_kernels import gpu_cases, labs, rung_kernels

pytestmark = pytest.mark.gpu

LABS = {lab.name: lab for lab in labs() if lab.name in {"row-sum", "transpose"}}

NOISE = 1.03
"""Two times that differ by less may swap ranks in another run."""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, alone: GpuLock) -> Path:
    folder = tmp_path_factory.mktemp("calibration")
    with alone():
        grader(folder, "calibrate", *LABS, "--engine", "cuda", "--json", "stored.json")
    return folder / "stored.json"


@pytest.fixture(params=LABS)
def ladder(request: pytest.FixtureRequest, stored: Path) -> LadderReport:
    (found,) = (each for each in calibrations.read(stored).ladders if each.lab == request.param)
    return found


def test_every_rung_is_timed_on_the_labs_last_case(ladder: LadderReport) -> None:
    lab = LABS[ladder.lab]
    assert (ladder.engine.kind, ladder.kind) == (EngineKind.CUDA, SpeedupKind.MEASURED)
    assert len(ladder.rows) == len(list(rung_kernels(lab)))
    for row in ladder.rows:
        assert row.reason is None
        assert row.case == gpu_cases(lab, Use.TIME)[-1].name
        assert len(row.seconds) >= EARLY_CHECKPOINT
        assert row.share is not None
        assert 0 < row.share < 1


@pytest.mark.parametrize("language", Language)
def test_every_step_of_a_ladder_is_faster(ladder: LadderReport, language: Language) -> None:
    seconds = {
        RungKernel(rung=row.rung, kernel=row.kernel): median(row.seconds)
        for row in ladder.rows
        if row.language is language
    }
    manifest = LABS[ladder.lab].manifest
    for climb in ladders(manifest, language):
        for lower, higher in steps([entry for entry in climb if entry in seconds]):
            assert seconds[higher] <= NOISE * seconds[lower], f"{higher} is slower than {lower}"


def test_a_stored_ladder_becomes_a_page_and_benchmark_json(stored: Path) -> None:
    shown = grader(
        stored.parent, "bench-labs", "--calibration", stored.name, "--html", "page.html", "--json", "b.json"
    )
    assert "measured times; cuda engine" in shown
    assert "<svg" in (stored.parent / "page.html").read_text(encoding="utf-8")
    document = json.loads((stored.parent / "b.json").read_bytes())
    assert document["machine_info"]["times"] == "measured"
    assert {each["group"].split()[0] for each in document["benchmarks"]} == set(LABS)
