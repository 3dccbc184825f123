"""What ``grader doctor`` finds out: the sandboxes, and what can be built and run in them."""

from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config.settings import SandboxSettings
from grader.course.capabilities import Capability, numba_programs, programs, sandboxes
from grader.sandbox.builtin import BUBBLEWRAP, DOCKER, process
from grader.sandbox.offer import Offer
from grader.sandbox.process import ProcessSandbox
from tools.broken_numba import REASON, break_numba


def offer(kind: str, problem: str | None = None, *weaknesses: str) -> Offer:
    return Offer(
        name=kind,
        isolates=True,
        rank=1,
        unavailable=lambda: problem,
        open=ProcessSandbox,
        weaknesses=lambda: weaknesses,
    )


def capabilities(*offers: Offer) -> dict[str, Capability]:
    return {capability.name: capability for capability in sandboxes([*offers, process(SandboxSettings())])}


def test_the_strongest_is_the_one_that_auto_takes() -> None:
    found = capabilities(offer(DOCKER), offer(BUBBLEWRAP))
    assert '"auto" takes it' in found["docker sandbox"].detail
    assert '"auto" takes it' not in found["bubblewrap sandbox"].detail
    assert found["process sandbox"].hint == ""


def test_one_that_is_missing_says_why_and_the_next_is_taken() -> None:
    found = capabilities(
        offer(DOCKER, "no engine answers"),
        offer(BUBBLEWRAP, None, "It leaks a bit."),
    )
    assert not found["docker sandbox"].present
    assert found["docker sandbox"].detail == "no engine answers"
    assert '"auto" takes it' in found["bubblewrap sandbox"].detail
    assert found["bubblewrap sandbox"].hint == "It leaks a bit."


def test_with_neither_it_is_said_how_to_grade() -> None:
    found = capabilities(
        offer(DOCKER, "no engine answers"),
        offer(BUBBLEWRAP, "bwrap is not installed"),
    )
    assert "--trust-submissions" in found["process sandbox"].hint


@pytest.fixture
def _trusted_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grader.toml").write_text('[sandbox]\nkind = "process"\n', encoding="utf-8")


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.usefixtures("_trusted_course")
def test_each_language_is_built_and_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    text = shown(capsys)
    assert "yes CUDA C on the emulator built and ran a kernel in" in text
    assert "yes Numba on the emulator built and ran a kernel in" in text
    assert text.endswith("this machine can grade")


def test_a_configured_sandbox_that_is_missing_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    (tmp_path / "grader.toml").write_text('[sandbox]\nkind = "docker"\n', encoding="utf-8")
    assert run(["doctor"]) == 1
    assert shown(capsys).endswith("grading does not work here: a sandbox")


@pytest.mark.usefixtures("_trusted_course")
def test_a_broken_language_is_reported_with_its_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_numba(monkeypatch)
    assert run(["doctor"]) == 1
    text = shown(capsys)
    assert "yes CUDA C on the emulator" in text
    assert "no Numba on the emulator" in text
    assert REASON in text
    assert "constraints.txt" in text
    assert text.endswith("grading does not work here: Numba on the emulator")


def test_programs_are_tried_and_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert programs().present
    monkeypatch.setattr("grader.programs.toolchain.shutil.which", lambda _: None)
    found = programs()
    assert not found.present
    assert "g++" in found.detail
    assert "apt install" in found.hint
    assert not found.needed


def test_numba_programs_are_tried_and_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert numba_programs().present
    monkeypatch.setattr("grader.programs.toolchain.shutil.which", lambda _: None)
    found = numba_programs()
    assert not found.present
    assert "g++" in found.detail
    assert not found.needed
