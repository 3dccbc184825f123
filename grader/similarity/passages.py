"""Where two submissions match: the longest runs of consecutive fingerprints that both have."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.model.similarity import Fingerprint, Lines, Passage, View

Run = tuple[int, int, int]
"""The start of a run in the first and second sequence, and its length."""


def passages(
    view: View, first: Sequence[Fingerprint], second: Sequence[Fingerprint], holders: Mapping[int, int]
) -> tuple[Passage, ...]:
    """The matching passages of two submissions, the longest first; no fingerprint is in two of them.

    ``holders`` says how many submissions have a fingerprint.
    """
    return tuple(
        Passage(
            view=view,
            first=_lines(first[at : at + length]),
            second=_lines(second[there : there + length]),
            runs=length,
            others=max(0, min(holders[each.hash] for each in first[at : at + length]) - 2),
        )
        for at, there, length in _tiles([each.hash for each in first], [each.hash for each in second])
    )


def _tiles(first: Sequence[int], second: Sequence[int]) -> list[Run]:
    """Greedy string tiling: the longest common run, then the longest in what is left, and so on."""
    there = defaultdict(list)
    for position, value in enumerate(second):
        there[value].append(position)
    used_first: set[int] = set()
    used_second: set[int] = set()
    tiles: list[Run] = []
    while True:
        found = max(
            _free_runs(first, second, there, used_first, used_second), key=lambda run: run[2], default=None
        )
        if found is None:
            return tiles
        at, to, length = found
        used_first.update(range(at, at + length))
        used_second.update(range(to, to + length))
        tiles.append(found)


def _free_runs(
    first: Sequence[int],
    second: Sequence[int],
    there: Mapping[int, Sequence[int]],
    used_first: set[int],
    used_second: set[int],
) -> Iterator[Run]:
    """The longest run from each pair of positions where one can start."""
    for at, value in enumerate(first):
        for to in there.get(value, ()):
            starts = not (at and to and first[at - 1] == second[to - 1]) or at - 1 in used_first
            length = 0
            while (
                at + length < len(first)
                and to + length < len(second)
                and first[at + length] == second[to + length]
                and at + length not in used_first
                and to + length not in used_second
            ):
                length += 1
            if length and (starts or to - 1 in used_second):
                yield at, to, length


def _lines(run: Iterable[Fingerprint]) -> tuple[Lines, ...]:
    """The lines of some fingerprints, by file."""
    by_file: dict[str, set[int]] = defaultdict(set)
    for fingerprint in run:
        for file, line in fingerprint.lines:
            by_file[file].add(line)
    return tuple(Lines(file=file, lines=tuple(sorted(lines))) for file, lines in sorted(by_file.items()))
