"""The interpreter's machine code on disk is used only if it is undamaged."""

from pathlib import Path

import pytest

from grader.cache import CACHE_VARIABLE
from grader.engines.emulator import machine_code


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    folder = machine_code.machine_code_folder.__wrapped__()
    monkeypatch.setattr(machine_code, "machine_code_folder", lambda: folder)


def test_machine_code_counts_once_every_entry_point_is_there() -> None:
    for name in machine_code.ENTRY_POINTS:
        assert not machine_code.is_compiled()
        machine_code.keep(name, "symbol", b"code")
    assert machine_code.is_compiled()


def test_damaged_machine_code_is_not_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    for name in machine_code.ENTRY_POINTS:
        machine_code.keep(name, "symbol", b"code")
    path = machine_code.machine_code_folder().path / "run"
    path.write_bytes(path.read_bytes()[:-1] + b"X")
    assert not machine_code.is_compiled()
    assert machine_code.load("run") is None
    assert "damaged" in capsys.readouterr().err
