"""The toolkit's headers come in several packages, each of which may be missing."""

from pathlib import Path

import pytest

from grader.compile import includes
from grader.errors import UserError


@pytest.mark.parametrize("missing", includes.NEEDED)
def test_a_missing_package_of_headers_is_named(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package, header in includes.NEEDED.items():
        if package != missing:
            (tmp_path / header).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / header).touch()
    monkeypatch.setattr(includes, "_header_folder", lambda _: tmp_path)
    with pytest.raises(UserError, match=f"Install {missing}"):
        includes.toolkit_options()
    (tmp_path / includes.NEEDED[missing]).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / includes.NEEDED[missing]).touch()
    assert f"-I{tmp_path}" in includes.toolkit_options()
