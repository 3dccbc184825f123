"""Compare the submissions of a class with each other and with those of former terms."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from grader.model.reason import reason
from grader.model.similarity import (
    ComparedWork,
    Fingerprints,
    Measure,
    Passage,
    SimilarityDistribution,
    SimilarityReport,
    SimilarPair,
    Uncompared,
    View,
)
from grader.model.submission import Language
from grader.similarity.distribution import deviation, distribution
from grader.similarity.index import Shared, occurrences, shared
from grader.similarity.passages import passages

_LEAST_FINGERPRINTS = 4
"""Fewer than these say nothing: chance alone gives two short submissions a few runs in common."""

_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A submission to compare. ``team`` are the groups that submit together."""

    shown: ComparedWork
    fingerprints: Fingerprints
    team: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class _Compared:
    """The works that have one view, those of the class first, and what they share.

    ``positions`` are those of the members. ``counted`` says which pairs count; ``order`` are the similarities of the
    class, ascending.
    """

    view: View
    members: Sequence[int]
    positions: Mapping[int, int]
    shared: Shared
    counted: NDArray[np.bool_]
    distribution: SimilarityDistribution
    order: NDArray[np.float32]

    def head(self, most: int) -> Iterator[_Pair]:
        """The pairs with a rank up to ``most``: all of equal rank, so there may be more."""
        least = self.order[-most] if most <= len(self.order) else 0
        alike = self.counted & (self.shared.count > 0) & (self.shared.similarity >= least)
        for row, column in np.argwhere(alike).tolist():
            yield self.members[row], self.members[column]

    def measure(self, pair: _Pair) -> Measure | None:
        """The measure of a pair of works; ``None`` if this view does not compare them, or finds nothing in common."""
        row, column = (self.positions.get(at) for at in pair)
        if (
            row is None
            or column is None
            or not self.counted[row, column]
            or not self.shared.count[row, column]
        ):
            return None
        similarity = float(self.shared.similarity[row, column])
        common = int(self.shared.count[row, column])
        above = len(self.order) - int(np.searchsorted(self.order, similarity, side="right"))
        return Measure(
            view=self.view,
            similarity=similarity,
            shared=common,
            first_share=common / int(self.shared.sizes[row]),
            second_share=common / int(self.shared.sizes[column]),
            rank=above + 1,
            deviation=deviation(self.distribution, similarity),
        )


class Comparison:
    """All submissions to one lab, compared in every view."""

    def __init__(self, lab: str, works: Sequence[Work], excluded: Mapping[View, frozenset[int]]) -> None:
        """``works`` of the class and of former terms; ``excluded`` are the fingerprints of what everybody was given."""
        self._lab = lab
        self._works = sorted(works, key=lambda work: work.shown.term != "")
        self._own = [
            {
                view: [each for each in found if each.hash not in excluded.get(view, frozenset())]
                for view, found in work.fingerprints.views.items()
            }
            for work in self._works
        ]
        self._compared = list(self._compare())

    def report(self, most: int) -> SimilarityReport:
        """The report with the ``most`` pairs that stand out most."""
        former = sum(1 for work in self._works if work.shown.term)
        return SimilarityReport(
            lab=self._lab,
            works=len(self._works) - former,
            background=former,
            distributions=tuple(each.distribution for each in self._compared),
            pairs=tuple(self._listed(most)),
            uncompared=tuple(self._uncompared()),
        )

    def _listed(self, most: int) -> Iterator[SimilarPair]:
        # A pair is listed by its best rank, so one that is among the first of the list is among the first of a view.
        able = {pair for compared in self._compared for pair in compared.head(most)}
        measures = {
            pair: [found for each in self._compared if (found := each.measure(pair)) is not None]
            for pair in able
        }
        for pair in sorted(able, key=lambda pair: (*_standing(measures[pair]), pair))[:most]:
            first, second = pair
            yield SimilarPair(
                first=self._works[first].shown,
                second=self._works[second].shown,
                measures=tuple(measures[pair]),
                passages=tuple(self._passages(pair)),
            )

    def _passages(self, pair: _Pair) -> Iterator[Passage]:
        first, second = pair
        for compared in self._compared:
            if compared.measure(pair) is not None:
                sides = (self._own[first][compared.view], self._own[second][compared.view])
                yield from passages(compared.view, *sides, compared.shared.holders)

    def _compare(self) -> Iterator[_Compared]:
        for view in View:
            able = [
                at for at in range(len(self._works)) if len(self._hashes(at, view)) >= _LEAST_FINGERPRINTS
            ]
            for members in self._comparable(view, able):
                rows = sum(1 for at in members if not self._works[at].shown.term)
                counted = self._counted(view, members, rows)
                inside = counted[:, :rows]
                if not counted.any():
                    continue
                found = shared([self._hashes(at, view) for at in members], rows)
                of_class = found.similarity[:, :rows][inside] if inside.any() else found.similarity[counted]
                yield _Compared(
                    view,
                    members,
                    {at: position for position, at in enumerate(members)},
                    found,
                    counted,
                    distribution(view, self._language(view, members), of_class),
                    np.sort(of_class),
                )

    def _comparable(self, view: View, able: Iterable[int]) -> list[list[int]]:
        """The works that a view compares with each other."""
        if view.across_languages:
            return [list(able)]

        def language(at: int) -> str:
            return self._works[at].shown.language.value

        return [sorted(same) for _, same in groupby(sorted(able, key=language), key=language)]

    def _language(self, view: View, members: Sequence[int]) -> Language | None:
        return None if view.across_languages else self._works[members[0]].shown.language

    def _counted(self, view: View, members: Sequence[int], rows: int) -> NDArray[np.bool_]:
        """The pairs that count: each once, and none of one student's or of one team's works."""
        counted = np.triu(np.ones((rows, len(members)), np.bool_), 1)
        languages = np.array([self._works[at].shown.language.value for at in members])
        if view.across_languages:
            counted &= languages[:rows, None] != languages[None, :]
        students = np.array([self._works[at].shown.student for at in members])
        counted &= students[:rows, None] != students[None, :]
        for row, column in self._teammates(members, rows):
            counted[row, column] = False
        return counted

    def _teammates(self, members: Sequence[int], rows: int) -> Iterator[_Pair]:
        teams: dict[str, list[int]] = {}
        for position, at in enumerate(members):
            for team in self._works[at].team:
                teams.setdefault(team, []).append(position)
        return (
            (first, second)
            for mates in teams.values()
            for first in mates
            for second in mates
            if first < second and first < rows
        )

    def _hashes(self, at: int, view: View) -> set[int]:
        return occurrences(each.hash for each in self._own[at].get(view, ()))

    def _uncompared(self) -> Iterator[Uncompared]:
        for at, work in enumerate(self._works):
            if work.shown.term:
                continue
            for view, why in work.fingerprints.missing.items():
                yield Uncompared(work=work.shown, view=view, reason=why)
            for view, own in self._own[at].items():
                if len(own) < _LEAST_FINGERPRINTS:
                    yield Uncompared(work=work.shown, view=view, reason=reason("too-little-of-its-own"))


def _standing(measures: Sequence[Measure]) -> tuple[bool, int, float]:
    """By what pairs are ordered: whether they stand out, their best rank in a view, their deviation.

    By their ranks the views take turns.
    """
    outlying = [each for each in measures if each.is_outlying]
    best = min(each.rank for each in outlying or measures)
    return not outlying, best, -max(each.deviation for each in measures)
