"""What is known of a program while its host code is followed, in either language."""

from dataclasses import dataclass, field

from grader.compile.host_launches.values import Expression, HostFacts

_MOST_STEPS = 10_000
"""Statements and names that are followed in one submission."""


@dataclass(slots=True, kw_only=True)
class Followed:
    """The whole program. ``followed`` are the functions that were called or followed on their own."""

    facts: HostFacts = field(default_factory=HostFacts)
    globals: dict[str, Expression] = field(default_factory=dict)
    followed: set[str] = field(default_factory=set)
    steps: int = 0

    def step(self) -> bool:
        """Count a step; false if there were too many."""
        self.steps += 1
        return self.steps <= _MOST_STEPS
