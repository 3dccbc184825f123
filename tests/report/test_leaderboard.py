"""The ranking by speed, as far as the intervals distinguish the entries."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grader.model.report import EngineInfo, Report, ResultsDocument, Speedup, SpeedupKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.report.leaderboard import Board, boards
from tests.report.examples import CUDA, DOCUMENT, EMULATOR, kernel, report, speedup


def _document(*reports: Report, engine: EngineInfo = EMULATOR) -> ResultsDocument:
    return replace(DOCUMENT, engine=engine, reports=reports)


def _entrant(
    student: str, value: float, spread: float = 0.0, kind: SpeedupKind = SpeedupKind.MODELLED
) -> Report:
    return report(student, "matmul", kernel("matmul", fast=speedup(value, kind, spread)))


def _places(board: Board) -> list[tuple[int, str]]:
    return [(entry.rank, entry.student) for entry in board.entries]


def test_the_faster_ranks_higher() -> None:
    (board,) = boards([_document(_entrant("a", 2.0), _entrant("b", 3.0), _entrant("c", 1.0))])
    assert _places(board) == [(1, "b"), (2, "a"), (3, "c")]


def test_overlapping_intervals_share_a_rank() -> None:
    (board,) = boards([_document(_entrant("a", 3.9, 0.1), _entrant("b", 4.0, 0.1), _entrant("c", 2.0, 0.1))])
    assert _places(board) == [(1, "b"), (1, "a"), (3, "c")]
    assert [entry.shared for entry in board.entries] == [True, True, False]


def test_speedups_that_show_as_equal_share_a_rank() -> None:
    (board,) = boards([_document(_entrant("a", 4.0), _entrant("b", 3.998), _entrant("c", 3.99))])
    assert _places(board) == [(1, "a"), (1, "b"), (3, "c")]


def test_a_chain_of_overlaps_does_not_tie_first_and_last() -> None:
    chain = [_entrant(name, value, 0.3) for name, value in (("a", 5.0), ("b", 4.5), ("c", 4.0))]
    (board,) = boards([_document(*chain)])
    assert _places(board) == [(1, "a"), (1, "b"), (3, "c")]


def test_equal_speeds_are_listed_by_name() -> None:
    names = ["student-10", "student-9", "anna"]
    (board,) = boards([_document(*(_entrant(name, 2.0) for name in names))])
    assert _places(board) == [(1, "anna"), (1, "student-9"), (1, "student-10")]


def test_only_accepted_submissions_are_listed() -> None:
    fast = kernel("matmul", fast=speedup(9.0))
    documents = [
        _document(
            _entrant("fine", 2.0),
            *(
                report(verdict, "matmul", fast, verdict=verdict)
                for verdict in Verdict
                if verdict is not Verdict.ACCEPTED
            ),
        )
    ]
    (board,) = boards(documents)
    assert _places(board) == [(1, "fine")]


def test_the_best_accepted_kernel_counts() -> None:
    (board,) = boards(
        [
            _document(
                report("a", "row-sum", kernel("slow", fast=speedup(1.0)), kernel("fast", fast=speedup(7.0)))
            )
        ]
    )
    assert (board.entries[0].kernel, board.entries[0].speedup.value) == ("fast", 7.0)


def test_a_student_stands_once_on_a_board_with_the_best_attempt() -> None:
    (board,) = boards([_document(_entrant("a", 2.0)), _document(_entrant("a", 3.0), _entrant("b", 2.5))])
    assert _places(board) == [(1, "a"), (2, "b")]


def test_modelled_and_measured_and_devices_never_meet() -> None:
    other = EngineInfo(kind=CUDA.kind, device="NVIDIA A100")
    measured = _entrant("a", 2.0, kind=SpeedupKind.MEASURED)
    found = boards(
        [
            _document(_entrant("a", 9.0)),
            _document(measured, engine=CUDA),
            _document(measured, engine=other),
            _document(_entrant("b", 9.0), engine=CUDA),
        ]
    )
    assert [(board.engine.device, board.kind.value) for board in found] == [
        ("NVIDIA A100", "measured"),
        ("NVIDIA H200", "measured"),
        ("NVIDIA H200", "modelled"),
        ("Tesla T4 (modelled)", "modelled"),
    ]


def test_languages_do_not_compete_because_their_baselines_differ() -> None:
    in_numba = replace(_entrant("b", 9.0), language=Language.NUMBA)
    found = boards([_document(_entrant("a", 2.0), in_numba)])
    assert [(board.language.value, _places(board)) for board in found] == [
        ("cuda-c", [(1, "a")]),
        ("numba", [(1, "b")]),
    ]


def test_a_new_version_of_a_lab_starts_a_new_board() -> None:
    new = replace(_entrant("a", 2.0), lab_version="10")
    old = replace(_entrant("b", 9.0), lab_version="9")
    found = boards([_document(new, old)])
    assert [(board.lab_version, _places(board)) for board in found] == [("9", [(1, "b")]), ("10", [(1, "a")])]


def test_a_class_without_speedups_has_no_boards() -> None:
    assert boards([_document(report("a", "matmul", kernel("matmul")))]) == ()


@given(
    st.lists(
        st.tuples(st.floats(0.1, 100), st.floats(0, 10), st.floats(0, 10)).map(
            lambda t: Speedup(
                value=t[0],
                low=max(0.0, t[0] - t[1]),
                high=t[0] + t[2],
                kind=SpeedupKind.MODELLED,
                baseline="global",
            )
        ),
        min_size=1,
        max_size=12,
    )
)
def test_ranks_follow_values_and_shares_follow_overlap(speedups: list[Speedup]) -> None:
    entrants = [report(f"s{i}", "matmul", kernel("matmul", fast=s)) for i, s in enumerate(speedups)]
    (board,) = boards([_document(*entrants)])
    entries = board.entries
    assert [e.speedup.value for e in entries] == sorted((s.value for s in speedups), reverse=True)
    for position, entry in enumerate(entries):
        leader = entries[entry.rank - 1]
        assert leader.rank == entry.rank
        assert entry.speedup.high >= leader.speedup.low
        if leader is entry and position > 0:
            assert entry.speedup.high < entries[entries[position - 1].rank - 1].speedup.low
