"""A class compared: what counts, what is left out, and in which order pairs are listed."""

from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from grader.model.similarity import ComparedWork, Fingerprint, Fingerprints, SimilarityReport, View
from grader.model.submission import Language
from grader.similarity.comparison import Comparison, Work


def work(
    student: str,
    tokens: Collection[int],
    *,
    ptx: Collection[int] = (),
    operations: Collection[int] = (),
    term: str = "",
    language: Language = Language.CUDA_C,
    team: str = "",
) -> Work:
    given = {View.TOKENS: tokens, View.PTX: ptx, View.OPERATIONS: operations}
    views = {
        view: tuple(Fingerprint(each, (("k.cu", 1),)) for each in hashes) for view, hashes in given.items()
    }
    shown = ComparedWork(student=student, term=term, language=language, path=f"{student}.cu", digest=student)
    teams = frozenset({team} if team else ())
    return Work(shown=shown, fingerprints=Fingerprints(views=views), team=teams)


def pairs(report: SimilarityReport) -> list[tuple[str, str]]:
    return [(pair.first.student, pair.second.student) for pair in report.pairs]


def own(student: int, count: int = 20) -> set[int]:
    return set(range(1000 * student, 1000 * student + count))


def test_a_copy_is_listed_first() -> None:
    works = [work(f"s{n}", own(n) | {1, 2, 3}) for n in range(1, 9)]
    report = Comparison("lab", [*works, work("copy", own(3) | {1, 2, 3})], {}).report(5)
    assert pairs(report)[0] == ("s3", "copy")
    (measure,) = report.pairs[0].measures
    assert measure.similarity == 1.0
    assert measure.rank == 1
    assert measure.is_outlying
    assert report.distributions[0].pairs == 36
    assert sum(report.distributions[0].counts) == 36


def test_what_everybody_was_given_does_not_count() -> None:
    given = set(range(50))
    works = [work("a", own(1) | given), work("b", own(2) | given), work("c", own(3))]
    assert pairs(Comparison("lab", works, {}).report(5)) == [("a", "b")]
    report = Comparison("lab", works, {View.TOKENS: frozenset(given)}).report(5)
    assert pairs(report) == []
    assert not report.uncompared[:1] or report.uncompared[0].view is not View.TOKENS


def test_a_submission_with_nothing_of_its_own_is_named() -> None:
    works = [work("a", range(10)), work("b", own(2)), work("c", own(3))]
    report = Comparison("lab", works, {View.TOKENS: frozenset(range(10))}).report(5)
    lacking = [each for each in report.uncompared if each.view is View.TOKENS]
    assert [(each.work.student, each.reason.code) for each in lacking] == [("a", "too-little-of-its-own")]


def test_members_of_a_team_are_no_pair() -> None:
    works = [work("a", own(1), team="t1"), work("b", own(1), team="t1"), work("c", own(1), team="t2")]
    assert pairs(Comparison("lab", works, {}).report(5)) == [("a", "c"), ("b", "c")]


def test_former_terms_are_matched_and_not_listed_among_themselves() -> None:
    works = [
        work("old-a", own(1), term="2025"),
        work("old-b", own(1), term="2025"),
        work("new", own(1)),
        work("other", own(2)),
    ]
    report = Comparison("lab", works, {}).report(9)
    assert sorted(pairs(report)) == [("new", "old-a"), ("new", "old-b")]
    assert (report.works, report.background) == (2, 2)
    assert report.distributions[0].pairs == 1


def test_a_student_who_repeats_the_course_is_no_pair() -> None:
    works = [work("ada", own(1)), work("ben", own(2)), work("ada", own(1), term="2025")]
    assert pairs(Comparison("lab", works, {}).report(9)) == []


def test_languages_are_compared_by_operations_only() -> None:
    works = [
        work("a", own(1), ptx=own(1), operations=own(9)),
        work("b", own(1), ptx=own(1), operations=own(9), language=Language.NUMBA),
        work("c", own(3), ptx=own(3), operations=own(9)),
    ]
    report = Comparison("lab", works, {}).report(9)
    views = {
        frozenset((pair.first.student, pair.second.student)): [each.view for each in pair.measures]
        for pair in report.pairs
    }
    assert views == {frozenset("ab"): [View.OPERATIONS], frozenset("bc"): [View.OPERATIONS]}


def test_the_views_take_turns() -> None:
    works = [work(f"s{n}", own(n), ptx=own(n)) for n in range(1, 9)]
    renamed = work("renamed", own(91), ptx=own(1))
    retiled = work("retiled", own(2), ptx=own(92))
    report = Comparison("lab", [*works, renamed, retiled], {}).report(2)
    assert set(pairs(report)) == {("s1", "renamed"), ("s2", "retiled")}


@given(
    st.lists(
        st.tuples(st.sets(st.integers(0, 12), max_size=9), st.sets(st.integers(0, 12), max_size=9)),
        min_size=2,
        max_size=9,
    ),
    st.integers(1, 6),
)
def test_a_short_list_is_the_head_of_a_long_one(class_: list[tuple[set[int], set[int]]], most: int) -> None:
    works = [work(f"s{number}", tokens, ptx=ptx) for number, (tokens, ptx) in enumerate(class_)]
    everything = Comparison("lab", works, {}).report(1000).pairs
    assert Comparison("lab", works, {}).report(most).pairs == everything[:most]
