"""The inverted index: how much submissions share, with rare fingerprints weighing more."""

from itertools import permutations

import numpy as np
import pytest

from grader.similarity.index import occurrences, shared


def test_equal_sets_are_alike_and_disjoint_sets_are_not() -> None:
    found = shared([{1, 2, 3}, {1, 2, 3}, {4, 5}], 3)
    assert found.similarity[0, 1] == pytest.approx(1.0)
    assert found.similarity[0, 2] == 0
    assert found.count.tolist() == [[3, 3, 0], [3, 3, 0], [0, 0, 0]]


def test_a_rare_fingerprint_weighs_more_than_a_common_one() -> None:
    common, rare = 1, 2
    found = shared([{common, rare, 10}, {rare, 20}, {common, 30}, {common, 40}, {common, 50}], 5)
    assert found.similarity[0, 1] > found.similarity[0, 2] > 0
    assert found.holders[common] == 4


def test_the_background_is_not_compared_with_itself() -> None:
    found = shared([{1, 2}, {3, 4}, {1, 2}, {1, 2}], 2)
    assert found.similarity.shape == (2, 4)
    assert found.similarity[0].tolist() == pytest.approx([1, 0, 1, 1])


def test_it_agrees_with_a_comparison_of_each_pair() -> None:
    random = np.random.default_rng(7)
    sets = [set(random.integers(0, 60, 25).tolist()) for _ in range(12)]
    found = shared(sets, 12)
    holders = {each: sum(each in own for own in sets) for own in sets for each in own}
    weight = {each: 1 + np.log(12 / count) for each, count in holders.items()}
    for first, second in permutations(range(12), 2):
        both = sum(weight[each] for each in sets[first] & sets[second])
        mean = sum(weight[each] for own in (sets[first], sets[second]) for each in own) / 2
        assert found.similarity[first, second] == pytest.approx(both / mean, abs=1e-5)
        assert found.count[first, second] == len(sets[first] & sets[second])


def test_a_repeated_fingerprint_counts_as_often_as_both_have_it() -> None:
    assert len(occurrences([7] * 16)) == 16
    assert len(occurrences([7] * 16) & occurrences([7] * 8)) == 8
    assert occurrences([1, 2, 3]) == {1, 2, 3}
    assert max(occurrences([2**64 - 1] * 3)) < 2**64
