"""Results that processes of a test run share are computed once."""

from pathlib import Path

import pytest

from tools.shared_results import FOLDER_VARIABLE, shared


@pytest.mark.parametrize(("folder", "times"), [(True, 1), (False, 2)])
def test_a_shared_result_is_computed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, folder: bool, times: int
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path) if folder else "")
    calls: list[None] = []

    def compute() -> dict[str, int]:
        calls.append(None)
        return {"answer": 42}

    assert [shared(b"key", compute) for _ in range(2)] == [{"answer": 42}] * 2
    assert len(calls) == times


def test_other_keys_have_other_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert shared(b"one", lambda: 1) == 1
    assert shared(b"two", lambda: 2) == 2
