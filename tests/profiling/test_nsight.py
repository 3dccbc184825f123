"""What Nsight Compute recorded on an H200, read line by line.

The report is of the rung ``shared_conflict`` of transpose at 512 x 512, its ``global`` in Numba, ``shared`` of matmul
and ``expert`` of reduction, which takes two launches.
"""

import sys
from pathlib import Path

import pytest

from grader.errors import InfrastructureError, UserError
from grader.profiling import nsight
from tests.profiling.recorded_report import LAUNCHES, REPORT


@pytest.fixture(scope="module")
def counts() -> list[nsight.Counted]:
    return nsight.read(REPORT, LAUNCHES)


def sites(counted: nsight.Counted, space: str) -> dict[int | None, tuple[int, int, int]]:
    return {
        site.line: (site.requests, site.transactions, site.ideal)
        for site in counted.sites
        if site.space == space
    }


def test_a_column_of_a_tile_is_read_in_32_passes(counts: list[nsight.Counted]) -> None:
    assert sites(counts[0], "shared") == {22: (8192, 8192, 8192), 31: (8192, 262_144, 8192)}
    assert sites(counts[0], "global") == {22: (8192, 32_768, 32_768), 31: (8192, 32_768, 32_768)}


def test_a_naive_numba_transpose_touches_extra_sectors(counts: list[nsight.Counted]) -> None:
    (line,) = sites(counts[1], "global").values()
    assert line == (16_384, 294_912, 65_536)
    assert {line.file for line in counts[1].lines} == {"global.py"}


def test_launches_of_one_plan_are_added_up(counts: list[nsight.Counted]) -> None:
    alone = nsight.read(REPORT, [1, 1, 1, 1, 1])
    assert counts[3].seconds == pytest.approx(alone[3].seconds + alone[4].seconds)
    executed = [
        sum(line.warp_instructions for line in each.lines) for each in (counts[3], alone[3], alone[4])
    ]
    assert executed[0] == executed[1] + executed[2]


def test_threads_are_counted_beside_warps(counts: list[nsight.Counted]) -> None:
    for line in (line for each in counts for line in each.lines):
        assert 0 <= line.thread_instructions <= 32 * line.warp_instructions


def test_other_launches_than_were_made_are_refused() -> None:
    with pytest.raises(InfrastructureError, match="saw 5 launches of 4"):
        nsight.read(REPORT, [4])


def test_without_the_reader_the_hint_is_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "ncu_report", None)
    with pytest.raises(UserError, match=r'pip install --constraint constraints\.txt "\.\[profile\]"'):
        nsight.read(tmp_path / "none", [])
