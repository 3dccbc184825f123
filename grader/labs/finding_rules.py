"""What a finding of undefined behaviour costs: the ``[rubric.findings]`` table, of ``lab.toml`` and of a course."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from grader.labs.convert import refuse


class CostlyFinding(StrEnum):
    """A finding that a rubric may price: code that CUDA's rules do not allow, even if its outputs are right."""

    DIVERGENT_BARRIER = "divergent-barrier"
    EXIT_BEFORE_BARRIER = "exit-before-barrier"
    MISSING_SYNCWARP = "missing-syncwarp"
    SHUFFLE_INACTIVE = "shuffle-inactive"
    UNINITIALISED_READ = "uninitialised-read"
    SAME_VALUE_RACE = "same-value-race"
    ORDER_DEPENDENCE = "order-dependence"


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRule:
    """What ``finding`` takes from the correctness of its kernel: ``points``, or a ``share`` of the kernel's points.

    ``accepted``: whether the kernel may stay accepted; otherwise it is wrong.
    """

    finding: CostlyFinding
    points: float | None = None
    share: float | None = None
    accepted: bool = False

    def cost(self, correctness: float) -> float:
        """The points that the finding takes from a kernel with ``correctness`` points."""
        return self.points if self.points is not None else (self.share or 0.0) * correctness


class FindingTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The value of one finding. Exactly one of ``points`` and ``share`` is set."""

    points: float | None = None
    share: float | None = None
    accepted: bool = False


FindingTables = dict[CostlyFinding, FindingTable]
"""The ``[rubric.findings]`` table."""


def finding_rules(tables: Mapping[CostlyFinding, FindingTable]) -> tuple[FindingRule, ...]:
    """The rules of ``rubric.findings``. Raises: ``ManifestError``."""
    for finding, table in tables.items():
        where = ("rubric", "findings", finding.value)
        if (table.points is None) == (table.share is None):
            refuse(f"{finding} needs points or share, and only one of them", *where)
        if table.points is not None and not 0 <= table.points <= _MOST_POINTS:
            refuse(f"points must be zero or more, not {table.points:g}", *where, "points")
        if table.share is not None and not 0 <= table.share <= 1:
            refuse(f"share must be from 0 to 1, not {table.share:g}", *where, "share")
    return tuple(
        FindingRule(finding=finding, points=table.points, share=table.share, accepted=table.accepted)
        for finding, table in tables.items()
    )


_MOST_POINTS = 1e9
