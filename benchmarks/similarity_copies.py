"""How many planted copies stand at the head of the list, against ``copydetect``.

``python -m benchmarks.similarity_copies`` writes ``results/similarity-copies.json`` and its table in
``benchmarks/tables/similarity.md``. It needs ``pip install copydetect==0.5.0``. For each way to hide a copy it makes
classes of 120 students who wrote their own, adds copies of some of them, and looks at a fixed number of pairs. A list
of pairs is made by the source alone, by PTX alone, as ``grader similar`` orders them, and by ``copydetect`` with its
defaults. The starter is subtracted everywhere; reference kernels are not, because some of them are the works here.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.copy_transformations import TRANSFORMATIONS, Transformation
from benchmarks.similarity_class import LAB, submission, works
from grader.course.workspace import open_workspace
from grader.grading.rungs import build_request, rung_files, rung_sources, submission_of
from grader.labs.lab import Lab
from grader.labs.manifest import Rung
from grader.languages import support
from grader.model.similarity import ComparedWork, Fingerprints, View
from grader.model.submission import Language, Submission
from grader.similarity.comparison import Comparison, Work
from grader.similarity.fingerprints import of_sources, of_submission
from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "similarity-copies.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "similarity.md"
SECTION = "similarity-copies"

STUDENTS, PLANTED, LOOKED_AT, CLASSES = 120, 8, 16, 3

TRANSLATED = "CUDA C to Numba"

Pair = frozenset[str]
Ranking = Callable[[Sequence[Submission]], list[Pair]]
"""Lists the first pairs of a class."""


@cache
def _lab() -> Lab:
    return open_workspace().registry.get(LAB)


@cache
def _fingerprints(digest: str) -> Fingerprints:
    own = _KNOWN[digest]
    return of_submission(own, support(own.language).translate(build_request(_lab(), own, "sm_75")))


_KNOWN: dict[str, Submission] = {}


@cache
def _starter() -> dict[View, frozenset[int]]:
    paths = sorted((_lab().folder / "starter").glob("*"))
    found = set()
    for language in (Language.CUDA_C, Language.NUMBA):
        own = [path for path in paths if path.suffix == support(language).suffix]
        given = of_sources(submission_of(_lab(), own, language, "starter").files, language)
        found |= {each.hash for each in given.views[View.TOKENS]}
    return {View.TOKENS: frozenset(found)}


def by_views(views: Collection[View]) -> Ranking:
    """The ranking by some views."""

    def ranked(class_: Sequence[Submission]) -> list[Pair]:
        compared = []
        for own in class_:
            _KNOWN[own.digest] = own
            found = _fingerprints(own.digest)
            kept = {view: each for view, each in found.views.items() if view in views}
            shown = ComparedWork(student=own.student, language=own.language, path=own.path, digest=own.digest)
            compared.append(Work(shown=shown, fingerprints=Fingerprints(views=kept)))
        report = Comparison(LAB, compared, _starter()).report(LOOKED_AT)
        return [frozenset((pair.first.student, pair.second.student)) for pair in report.pairs]

    return ranked


def by_copydetect(class_: Sequence[Submission]) -> list[Pair]:
    """The ranking of ``copydetect`` with its defaults, by the mean of both similarities."""
    import copydetect  # noqa: PLC0415 - a tool of this benchmark only

    with tempfile.TemporaryDirectory() as folder:
        for own in class_:
            Path(folder, own.path).write_bytes(own.files[0].data)
        detector = copydetect.CopyDetector(
            test_dirs=[folder],
            boilerplate_dirs=[str(_lab().folder / "starter")],
            extensions=["cu", "py"],
            silent=True,
            autoopen=False,
        )
        detector.run()
        names = [Path(file).stem for file in detector.test_files]
        alike = {
            frozenset((names[first], names[second])): float(detector.similarity_matrix[first, second].mean())
            for first in range(len(names))
            for second in range(first)
        }
    return sorted(alike, key=lambda pair: alike[pair], reverse=True)[:LOOKED_AT]


RANKINGS: dict[str, Ranking] = {
    "source": by_views([View.TOKENS]),
    "PTX": by_views([View.PTX, View.OPERATIONS]),
    "grader": by_views(list(View)),
    "copydetect": by_copydetect,
}


def with_copies(
    class_: Sequence[Submission], change: Transformation, random_: random.Random
) -> tuple[list[Submission], set[Pair]]:
    """``class_`` with ``PLANTED`` copies of works that the transformation changes, and the pairs to be found."""
    copies: list[Submission] = []
    planted = set()
    for own in random_.sample(class_, len(class_)):
        source = own.files[0].data.decode()
        changed = change.apply(source, random_)
        if changed != source and len(copies) < PLANTED:
            copies.append(submission(f"copy-{len(copies)}", changed))
            planted.add(frozenset((own.student, copies[-1].student)))
    return [*class_, *copies], planted


def with_translations(class_: Sequence[Submission]) -> tuple[list[Submission], set[Pair]]:
    """``class_`` with reference kernels that stand alone, in both languages, each by two students."""
    added: list[Submission] = []
    planted = set()
    for rung in _lab().manifest.rungs:
        own = [_alone(rung, language) for language in rung_sources(_lab(), rung)]
        both = [each for each in own if each is not None]
        if len(both) > 1:
            added += both
            planted.add(frozenset(each.student for each in both))
    return [*class_, *added], planted


def _alone(rung: Rung, language: Language) -> Submission | None:
    """The rung as a student's work, unless it needs the code that rungs share."""
    source, *shared = submission_of(_lab(), rung_files(_lab(), rung, language), language, rung.name).files
    text = source.data.decode()
    if any(Path(file.name).stem in text for file in shared):
        return None
    return submission(f"{rung.name}-{language.value}", text, language)


def measure() -> list[dict[str, Any]]:
    """For each transformation, how many copies each ranking has among the first pairs."""
    rows: dict[str, dict[str, Any]] = {}
    for seed in range(1, CLASSES + 1):
        class_ = [submission(f"student-{number:03}", own) for number, own in enumerate(works(STUDENTS, seed))]
        random_ = random.Random(seed)
        planted = {each.name: with_copies(class_, each, random_) for each in TRANSFORMATIONS}
        planted[TRANSLATED] = with_translations(class_)
        for name, (mixed, pairs) in planted.items():
            row = rows.setdefault(
                name, {"transformation": name, "planted": 0, "found": dict.fromkeys(RANKINGS, 0)}
            )
            row["planted"] += len(pairs)
            for ranking, first_pairs in RANKINGS.items():
                row["found"][ranking] += len(pairs & set(first_pairs(mixed)))
    return list(rows.values())


def table(record: dict[str, Any]) -> str:
    """One row for each transformation, under a line of provenance."""
    source = record["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}`, copydetect "
        f"{source['copydetect']}; {source['classes']} classes of {source['students']} students, "
        f"the first {source['looked_at']} pairs of each."
    )
    looked_at = source["classes"] * source["looked_at"]
    rows = [
        (
            each["transformation"],
            str(each["planted"]),
            *(
                f"{100 * found / each['planted']:.0f} % · {100 * found / looked_at:.0f} %"
                for found in each["found"].values()
            ),
        )
        for each in record["transformations"]
    ]
    header = ("copies are", "planted", *record["transformations"][0]["found"])
    return f"{measured} In each cell: recall · precision.\n\n{pages.table(header, rows, 1)}"


def main() -> None:
    """Measure, and write the record and the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    provenance = machine_provenance(
        copydetect=version("copydetect"), classes=CLASSES, students=STUDENTS, looked_at=LOOKED_AT
    )
    record = {"schema_version": 1, "provenance": provenance, "transformations": measure()}
    pages.keep(record, RESULTS)
    pages.write({SECTION: table(record)}, PAGE)


if __name__ == "__main__":
    main()
