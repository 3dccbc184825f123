"""Only records of the same lab version are compared."""

from dataclasses import replace

from grader.model.run import EngineKind
from grader.store.history import comparable
from grader.store.port import GradedRecord
from tests.store.records import record


def _of_version(record: GradedRecord, version: str) -> GradedRecord:
    return replace(record, key=replace(record.key, lab_version=version))


def test_every_hand_in_of_a_student_counts() -> None:
    first, second = record(submission="first"), record(submission="second", minutes=1)
    assert set(_keys(comparable([first, second]).records)) == set(_keys([first, second]))


def test_records_of_an_older_lab_are_left_out_and_counted() -> None:
    old = [_of_version(record(name), "old") for name in ("a", "b")]
    new = _of_version(record("c", minutes=1), "new")
    elsewhere = _of_version(record("a", "matmul"), "old")
    found = comparable([*old, new, elsewhere])
    assert set(_keys(found.records)) == set(_keys([new, elsewhere]))
    assert found.left_out == 2


def test_a_regraded_submission_counts_as_graded_last() -> None:
    first, again = record(score=90), record(score=10, minutes=1)
    again = replace(again, key=replace(again.key, grader="a better one"))
    assert comparable([again, first]).records == (again,)


def test_each_engine_s_grading_of_a_hand_in_counts() -> None:
    modelled, measured = record(), record(engine=EngineKind.CUDA, minutes=1)
    assert len(comparable([modelled, measured]).records) == 2


def _keys(records: object) -> list[str]:
    assert isinstance(records, list | tuple)
    return [record.key.digest for record in records]
