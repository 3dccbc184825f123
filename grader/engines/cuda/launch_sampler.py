"""Draws timed launches of which the grader judges the outputs itself, and keeps their data."""

import secrets
from collections.abc import Mapping
from dataclasses import fields

from grader.model.run import Comparison, SampledComparison, TimedSample

_INTERVAL = 4
"""After the first launch, which is always taken, one in this many on average."""


class LaunchSampler:
    """Takes up to ``most`` samples. Nothing on the device shows whether a launch is taken."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._samples: list[TimedSample] = []

    def takes(self) -> bool:
        """Whether to take the present launch."""
        if len(self._samples) >= self._most:
            return False
        return not self._samples or secrets.randbelow(_INTERVAL) == 0

    def add(self, inputs: Mapping[str, bytes], outputs: Mapping[str, bytes]) -> None:
        """Keep the data of a launch."""
        self._samples.append(TimedSample(inputs=dict(inputs), outputs=dict(outputs)))

    def with_samples(self, comparison: Comparison) -> SampledComparison:
        """``comparison`` with the samples."""
        known = {field.name: getattr(comparison, field.name) for field in fields(Comparison)}
        return SampledComparison(**known, samples=tuple(self._samples))
