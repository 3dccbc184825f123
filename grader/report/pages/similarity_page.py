"""The comparison of a class as pages: one with the distributions and the pairs, and one for each pair, side by side."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.messages import Speech
from grader.model.reason import Reason
from grader.model.similarity import (
    ComparedWork,
    Lines,
    Passage,
    SimilarityDistribution,
    SimilarPair,
    View,
)
from grader.model.submission import SourceFile
from grader.report import similarity_text
from grader.report.files import plain_name, write_atomically
from grader.report.highlight import Piece, highlight
from grader.report.pages.environment import render_page
from grader.report.similarity_json import SimilarityDocument

_TINTS = 6
"""Colours of passages, which take turns."""

INDEX = "index.html"
"""The name of the page with the list."""

Sources = Mapping[str, Sequence[SourceFile]]
"""The files of submissions, by the digest of their content."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The template's data for one pair in the list."""

    number: int
    pair: SimilarPair
    link: str
    cells: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class _Histogram:
    """A distribution with marks: the similarity of some pairs, and what to call each."""

    shown: SimilarityDistribution
    title: Reason
    text: Reason
    marks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class _Match:
    """A passage with its number and colour on the page."""

    number: int
    tint: int
    passage: Passage
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A source line: the passage it is in, whether it starts it there, and whether it compiles to what matches."""

    number: int
    pieces: tuple[Piece, ...]
    match: _Match | None
    starts: bool
    compiled_alike: bool


@dataclass(frozen=True, slots=True)
class _Side:
    """One submission of a pair: ``key`` is its part of anchors."""

    key: str
    other: str
    work: ComparedWork
    name: str
    files: tuple[tuple[str, tuple[_Line, ...]], ...]


def write(
    folder: Path, document: SimilarityDocument, sources: Sources, language: str = "en"
) -> tuple[Path, ...]:
    """Write ``index.html`` and a page for each pair to ``folder``. Returns: the files.

    Raises: ``UserError`` where that is not possible.
    """
    made = pages(document, sources, language)
    for name, text in made.items():
        write_atomically(folder / name, text.encode())
    return tuple(folder / name for name in made)


def pages(document: SimilarityDocument, sources: Sources, language: str = "en") -> dict[str, str]:
    """``INDEX``, and a page for each pair, by the names under which they link to each other."""
    made = {INDEX: render_index(document, language)}
    for number, pair in enumerate(document.report.pairs, start=1):
        made[_file_name(number, pair)] = render_pair(document, number, sources, language)
    return made


def render_index(document: SimilarityDocument, language: str = "en") -> str:
    """The page with the distributions and the list of pairs."""
    speech, report = Speech(language), document.report
    views = [view for view in View if any(similarity_text.measure(pair, view) for pair in report.pairs)]
    return render_page(
        "similarity.html.j2",
        language=language,
        made=document,
        report=report,
        views=[similarity_text.VIEW_TITLES[view] for view in views],
        rows=[
            _Row(number, pair, _file_name(number, pair), tuple(_cells(pair, views, speech)))
            for number, pair in enumerate(report.pairs, start=1)
        ],
        histograms=[_histogram(shown, report.pairs, 1) for shown in report.distributions],
        uncompared=list(similarity_text.uncompared(report)),
        name=similarity_text.name,
    )


def render_pair(document: SimilarityDocument, number: int, sources: Sources, language: str = "en") -> str:
    """The page of the pair with this 1-based ``number``: its measures, and both sources with their matches."""
    pair = document.report.pairs[number - 1]
    matches = tuple(_matches(pair))
    return render_page(
        "similar_pair.html.j2",
        language=language,
        made=document,
        report=document.report,
        number=number,
        measures=[
            (
                measure,
                similarity_text.VIEW_TITLES[measure.view],
                similarity_text.deviation(measure, Speech(language)),
            )
            for measure in pair.measures
        ],
        histograms=[
            _histogram(shown, [pair], number)
            for shown in document.report.distributions
            if _belongs(pair, shown)
        ],
        matches=matches,
        compiled=[each for each in pair.passages if each.view is View.PTX],
        sides=(
            _side(
                "a", "b", pair.first, sources, [(m, m.passage.first) for m in matches], _ptx(pair, first=True)
            ),
            _side(
                "b",
                "a",
                pair.second,
                sources,
                [(m, m.passage.second) for m in matches],
                _ptx(pair, first=False),
            ),
        ),
    )


def _file_name(number: int, pair: SimilarPair) -> str:
    names = (plain_name(similarity_text.name(work)) for work in (pair.first, pair.second))
    return f"{number:03}-{'-'.join(names)}.html"


def _cells(pair: SimilarPair, views: Sequence[View], speech: Speech) -> Iterator[tuple[str, bool]]:
    for view in views:
        found = similarity_text.measure(pair, view)
        yield similarity_text.cell(found, speech), found is not None and found.is_outlying


def _histogram(shown: SimilarityDistribution, pairs: Sequence[SimilarPair], first: int) -> _Histogram:
    marks = [
        (measure.similarity, str(number))
        for number, pair in enumerate(pairs, start=first)
        if _belongs(pair, shown) and (measure := similarity_text.measure(pair, shown.view)) is not None
    ]
    title = similarity_text.distribution_title(shown)
    return _Histogram(shown, title, similarity_text.distribution_text(shown), tuple(marks))


def _belongs(pair: SimilarPair, shown: SimilarityDistribution) -> bool:
    """Whether the pair is one of those that the distribution counts."""
    if similarity_text.measure(pair, shown.view) is None:
        return False
    return shown.language in {None, pair.first.language}


def _matches(pair: SimilarPair) -> Iterator[_Match]:
    """The passages of the source, in the order of the first submission; across languages those of operations."""
    shown = [each for each in pair.passages if each.view is not View.PTX and each.first and each.second]
    for number, passage in enumerate(sorted(shown, key=_start), start=1):
        first, second = map(similarity_text.location, (passage.first, passage.second))
        yield _Match(number, (number - 1) % _TINTS + 1, passage, first, second)


def _start(passage: Passage) -> tuple[str, int]:
    return passage.first[0].file, passage.first[0].lines[0]


def _ptx(pair: SimilarPair, *, first: bool) -> set[tuple[str, int]]:
    """The lines that compile to instructions which match."""
    sides = (each.first if first else each.second for each in pair.passages if each.view is View.PTX)
    return {(part.file, line) for side in sides for part in side for line in part.lines}


def _side(  # noqa: PLR0913, PLR0917 - a row of the page's data
    key: str,
    other: str,
    work: ComparedWork,
    sources: Sources,
    matches: Sequence[tuple[_Match, Sequence[Lines]]],
    compiled: set[tuple[str, int]],
) -> _Side:
    by_line: dict[tuple[str, int], _Match] = {}
    starts: set[tuple[str, int]] = set()
    # The longest match has a line to itself, where two meet.
    for match, side in sorted(matches, key=lambda each: each[0].passage.runs):
        by_line |= {(part.file, line): match for part in side for line in part.lines}
    first_of: dict[int, tuple[str, int]] = {}
    for where in sorted(by_line):
        first_of.setdefault(by_line[where].number, where)
    starts = set(first_of.values())
    files: dict[str, list[_Line]] = defaultdict(list)
    for file in sources.get(work.digest, ()):
        for number, pieces in enumerate(highlight(file), start=1):
            where = (file.name, number)
            files[file.name].append(
                _Line(number, pieces, by_line.get(where), where in starts, where in compiled)
            )
    listed = tuple((name, tuple(lines)) for name, lines in files.items())
    return _Side(key, other, work, similarity_text.name(work), listed)
