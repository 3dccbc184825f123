"""The processes of a server share what they counted, in a folder that is their user's own."""

import tempfile
from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.portal.metrics import RequestCounts
from grader.portal.shared_counts import SharedCounts


def test_a_folder_of_another_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    with SharedCounts(RequestCounts()):
        (made,) = tmp_path.iterdir()
        assert made.stat().st_mode & 0o777 == 0o700
    elsewhere = made.rename(tmp_path / "elsewhere")
    made.symlink_to(elsewhere)
    with pytest.raises(InfrastructureError, match=made.name), SharedCounts(RequestCounts()):
        pass
