"""The records of a program on a real GPU, as a timeline."""

import pytest

from grader.model.location import SourceLocation
from grader.model.program import Lane
from grader.programs.gpu.records import read_records
from grader.programs.wire import Site

TEXT = """\
call 1 1000000 cudaMalloc 6a70a 8f2c
done 1 1400000
default 7
call 2 1500000 cudaMemcpyAsync 6a70a 8c5d
done 2 1505000
call 3 1506000 cudaLaunchKernel 8fd1
done 3 1510000
copy 1600000 1900000 14 2 4096 1 3 4
kernel 1900000 2000000 13 3 void scale<float>(float*, int)
copy 2000000 2100000 7 9 64 2 4 1
fill 2100000 2110000 7 9 64
copy 2110000 2120000 7 9 64 8 4 4
kernel 0 0 7 9 cut_short(int*)
"""


class Lines:
    """Lines of addresses: the last byte is the line, of a launch one more."""

    def location(self, site: Site) -> SourceLocation:
        """The line of a call."""
        return SourceLocation(file="main.cu", line=site[-1] & 0xFF) if site else SourceLocation()

    def launch(self, site: Site) -> SourceLocation:
        """The line of a launch."""
        return SourceLocation(file="main.cu", line=(site[-1] & 0xFF) + 1)


RECORDED = read_records(TEXT, Lines())
ON_DEVICE = [each for each in RECORDED.activities if each.lane is not Lane.HOST]


def test_work_is_on_its_lane_with_its_kind() -> None:
    assert [(each.lane, each.name.code) for each in ON_DEVICE if each.name] == [
        (Lane.COPY_IN, "work-copy-pinned"),
        (Lane.KERNELS, "work-kernel"),
        (Lane.COPY_OUT, "work-copy-pageable"),
        (Lane.KERNELS, "work-memset"),
        (Lane.KERNELS, "work-copy-on-device"),
    ]


def test_times_are_seconds_since_the_first_call() -> None:
    assert [each.start for each in ON_DEVICE[:2]] == pytest.approx([600e-6, 900e-6])
    assert ON_DEVICE[0].end == pytest.approx(900e-6)
    assert RECORDED.seconds == pytest.approx(1120e-6)


def test_streams_are_numbered_in_the_order_of_their_creation() -> None:
    assert [each.stream for each in ON_DEVICE[:3]] == [2, 1, 0]


def test_work_has_the_line_of_the_call_that_asked_for_it() -> None:
    assert [each.location.line for each in ON_DEVICE[:3]] == [0x5D, 0xD2, None]


def test_a_kernel_is_named_without_its_parameters() -> None:
    name = ON_DEVICE[1].name
    assert name is not None
    assert name.params["kernel"] == "void scale<float>"


def test_the_programs_own_code_fills_the_time_between_calls() -> None:
    (own,) = [each for each in RECORDED.activities if each.lane is Lane.HOST]
    assert (own.start, own.end) == pytest.approx((400e-6, 500e-6))


def test_calls_and_launches_are_counted() -> None:
    assert (RECORDED.calls, RECORDED.launches) == (3, 1)


def test_a_program_without_records_has_no_timeline() -> None:
    assert read_records("", Lines()).activities == ()
