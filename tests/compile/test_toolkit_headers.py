"""The toolkit's headers come in several packages, each of which may be missing."""

from pathlib import Path

import pytest

from grader.compile import toolkit_headers
from grader.errors import UserError


@pytest.mark.parametrize("missing", toolkit_headers.NEEDED)
def test_a_missing_package_of_headers_is_named(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package, header in toolkit_headers.NEEDED.items():
        if package != missing:
            (tmp_path / header).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / header).touch()
    monkeypatch.setattr(toolkit_headers, "_header_folder", lambda _: tmp_path)
    with pytest.raises(UserError, match=f"Install {missing}"):
        toolkit_headers.toolkit_options()
    (tmp_path / toolkit_headers.NEEDED[missing]).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / toolkit_headers.NEEDED[missing]).touch()
    assert f"-I{tmp_path}" in toolkit_headers.toolkit_options()
