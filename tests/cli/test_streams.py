"""Output that cannot be written: a reader who leaves, a full disk, no standard output at all."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli.streams import ProtectedStream
from grader.errors import UserError

GRADER = [sys.executable, "-c", "from grader.cli.app import main; main()"]


@pytest.mark.parametrize("command", [["labs"], ["--help"], ["doctor", "--help"]], ids=" ".join)
def test_a_reader_who_leaves_gets_no_traceback(command: list[str], tmp_path: Path) -> None:
    with subprocess.Popen(
        [*GRADER, *command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as grader:
        assert grader.stdout is not None
        grader.stdout.close()
        _, errors = grader.communicate(timeout=300)
    assert errors == b""
    assert grader.returncode == 0


def test_a_full_disk_behind_standard_output_is_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*GRADER, "labs"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"grader: Standard output cannot be written: No space left on device.")
    assert done.stderr.count(b"\n") == 1


def test_no_standard_output_at_all_is_no_error(tmp_path: Path) -> None:
    command = 'exec "$0" "$@" >&-'
    done = subprocess.run(
        ["/bin/sh", "-c", command, *GRADER, "labs"], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


class Full(io.StringIO):
    """A stream on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device", text)


def test_only_results_that_cannot_be_written_are_an_error() -> None:
    ProtectedStream(Full(), "").write("dropped")
    with pytest.raises(UserError):
        ProtectedStream(Full(), "Standard output").write("lost")
