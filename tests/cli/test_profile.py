"""``grader profile`` from the command line: on a fake GPU, with output recorded on a real one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.cli import profile as command
from grader.cli.app import run
from grader.cli.console import out
from grader.config import load
from grader.course import profile
from grader.grading.environment import GradingEnvironment
from grader.profiling import nsight, sanitizer, tools
from grader.sandbox.process import ProcessSandbox
from tests.grading.fake_gpu import fake_gpu_environment, lab_on_a_gpu
from tests.profiling.recorded_report import LAUNCHES, REPORT
from tools.paths import CHECKOUT

RUNG = CHECKOUT / "reference" / "transpose" / "shared_conflict.cu"
LAB = lab_on_a_gpu("transpose", {"rows": 768, "cols": 512})


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(out, "_width", 130)
    return Path(shutil.copy(RUNG, tmp_path))


def test_missing_tools_are_named_with_their_source(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(tools, "_TOOLKIT_FOLDERS", ())
    assert run(["profile", str(path), "--lab", "transpose"]) == 2
    assert "Nsight Compute (ncu) is not installed." in capsys.readouterr().err


@pytest.fixture
def _tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return the two tools with their output recorded on an H200; the emulator replaces the GPU."""

    @contextmanager
    def environment(*_: Any, **__: Any) -> Iterator[GradingEnvironment]:
        with ProcessSandbox() as sandbox:
            yield fake_gpu_environment(sandbox)

    registry = SimpleNamespace(
        labs={LAB.name: LAB}, get={LAB.name: LAB}.__getitem__, is_broken=lambda _: False
    )
    monkeypatch.setattr(command, "open_workspace", lambda: SimpleNamespace(config=load(), registry=registry))
    monkeypatch.setattr(profile, "open_environment", environment)
    monkeypatch.setattr(tools.Tool, "find", lambda tool: tool.program)
    monkeypatch.setattr(profile, "unavailable", lambda: "no namespaces")
    monkeypatch.setattr(nsight, "counted", lambda _, jobs: [nsight.read(REPORT, LAUNCHES)[0] for _ in jobs])
    monkeypatch.setattr(sanitizer, "checked", lambda *_: [])


@pytest.mark.usefixtures("_tools")
def test_the_devices_figures_stand_beside_the_emulators(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["profile", str(path), "--lab", "transpose"]) == 0
    shown, warned = capsys.readouterr()
    assert "run outside of any sandbox" in " ".join(warned.split())
    assert "the emulator's counts, each followed by the GPU's" in shown
    (row,) = (line for line in shown.splitlines() if line.split()[:1] == ["31"] and "113 k" in line)
    assert row.split().count("32×") == 2
    assert "compute-sanitizer reports no errors" in shown


@pytest.mark.usefixtures("_tools")
def test_what_does_not_build_cannot_be_profiled(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("__global__ void transpose(")
    assert run(["profile", str(path), "--lab", "transpose"]) == 1
    assert "could not be profiled: " in capsys.readouterr().err


@pytest.mark.usefixtures("_tools")
@pytest.mark.parametrize("kind", ["bubblewrap", "docker"])
def test_who_asks_for_a_sandbox_gets_none_of_this_without(
    path: Path, kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (path.parent / "grader.toml").write_text(f'[sandbox]\nkind = "{kind}"\n')
    monkeypatch.setattr(sanitizer, "checked", lambda *_: pytest.fail("it ran"))
    assert run(["profile", str(path), "--lab", "transpose"]) == 2
    assert "cannot be used here: no namespaces" in " ".join(capsys.readouterr().err.split())
