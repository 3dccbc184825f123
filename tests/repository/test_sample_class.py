"""``make grade`` trusts the bundled class, byte for byte, and nothing that lies beside it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tools.paths import CHECKOUT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout's scripts and submissions."""
    for folder in ("scripts", "submissions"):
        shutil.copytree(CHECKOUT / folder, tmp_path / folder)
    return tmp_path


def is_sample(checkout: Path) -> bool:
    return subprocess.run([checkout / "scripts" / "is_sample_class.sh"], check=False).returncode == 0


def test_what_is_bundled_is_the_sample_class(copy: Path) -> None:
    assert is_sample(copy), "after a change to submissions/: scripts/is_sample_class.sh --write"


def test_an_added_submission_takes_the_trust_away(copy: Path) -> None:
    (copy / "submissions" / "transpose" / "mallory.py").write_text("import os\n", encoding="utf-8")
    assert not is_sample(copy)


def test_a_changed_submission_takes_the_trust_away(copy: Path) -> None:
    bundled = next((copy / "submissions" / "transpose").glob("*.cu"))
    bundled.write_text(bundled.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert not is_sample(copy)


def test_a_link_among_submissions_takes_the_trust_away(copy: Path) -> None:
    (copy / "submissions" / "transpose" / "mallory.py").symlink_to("/etc/hostname")
    assert not is_sample(copy)
