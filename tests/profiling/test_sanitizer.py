"""What compute-sanitizer wrote of three faulty kernels on an H200, as findings. The files are without host stacks."""

import pytest

from grader.model.diagnostic import DiagnosticKind
from grader.model.location import SourceLocation
from grader.profiling.sanitizer import CHECKS, read
from tools.messages import english
from tools.paths import CHECKOUT

RECORDED = CHECKOUT / "tests" / "profiling" / "recorded"


@pytest.mark.parametrize(
    ("tool", "line", "words", "count"),
    [
        ("memcheck", 4, "Invalid __global__ write of size 4 bytes is out of bounds", 3),
        ("racecheck", 5, "Race condition", 1),
        ("synccheck", 4, "Barrier error: Divergent thread(s) in warp", 3),
    ],
)
def test_a_fault_is_reported_once_at_its_line(tool: str, line: int, words: str, count: int) -> None:
    (path,) = RECORDED.glob(f"{tool}-*.xml")
    (found,) = read(path, CHECKS[tool])
    assert (found.kernel, found.file, found.line) == ("vector_add", "own.cu", line)
    assert (english(found.message), found.count) == (words, count)


def test_a_race_has_two_lines() -> None:
    (found,) = read(RECORDED / "racecheck-race.xml", DiagnosticKind.SHARED_RACE)
    assert found.related == (SourceLocation(file="own.cu", line=6),)
