"""The ``[[rubric.technique]]`` and ``[[rubric.speed]]`` tables, of ``lab.toml`` and of a course."""

import math
from collections.abc import Sequence

import msgspec

from grader.labs.convert import refuse
from grader.labs.manifest import Linear, SpeedRule, TechniqueCheck, TechniqueRule, Tier, Tiers
from grader.labs.program import ProgramRequest


class TechniqueTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A ``[[rubric.technique]]`` table."""

    kernel: str
    check: TechniqueCheck
    points: float
    at_least: float | None = None


class _Tier(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    at_least: float
    points: float


class _Linear(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    start: float = msgspec.field(name="from")
    full: float = msgspec.field(name="to")


class SpeedTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A ``[[rubric.speed]]`` table. Exactly one of ``at_least``, ``tiers``, ``linear`` and ``roofline`` is set.

    ``points`` is required with all but ``tiers``, which contain points of their own. A program lab leaves
    ``kernel`` out.
    """

    kernel: str | None = None
    over: str | None = None
    points: float | None = None
    at_least: float | None = None
    tiers: list[_Tier] | None = None
    linear: _Linear | None = None
    roofline: float | None = None

    def rule(self, baseline: str, program: ProgramRequest | None) -> SpeedRule:
        """The rule, relative to ``baseline`` unless ``over`` is set. Raises: ``ValueError`` with the problem."""
        kernel = self.kernel if program is None else program.name
        if kernel is None:
            msg = "kernel is missing"
            raise ValueError(msg)
        if program is not None and (self.kernel is not None or self.roofline is not None):
            msg = "kernel and roofline belong to a lab of kernels; remove them"
            raise ValueError(msg)
        ways = ("at_least", "tiers", "linear", "roofline")
        used = [way for way in ways if getattr(self, way) is not None]
        if len(used) != 1:
            msg = f"needs one of {', '.join(ways)}, has {' and '.join(used) or 'none'}"
            raise ValueError(msg)
        if self.roofline is not None and self.over is not None:
            msg = "roofline and over exclude each other; remove one of them"
            raise ValueError(msg)
        over = None if self.roofline is not None else self.over or baseline
        return SpeedRule(kernel=kernel, scorer=self._scorer(), over=over)

    def _scorer(self) -> Tiers | Linear:
        if self.tiers is not None:
            if self.points is not None:
                msg = "tiers have points of their own; remove the points beside them"
                raise ValueError(msg)
            return _tiers([Tier(at_least=tier.at_least, points=tier.points) for tier in self.tiers])
        if self.points is None:
            msg = "points are missing"
            raise ValueError(msg)
        if self.linear is not None:
            return _line(Linear(start=self.linear.start, full=self.linear.full, points=self.points))
        if self.roofline is not None:
            if not 0 < self.roofline <= 1:
                msg = f"roofline is {self.roofline:g}; it is a share of what the device can do, above 0 and at most 1"
                raise ValueError(msg)
            return _tiers([Tier(at_least=self.roofline, points=self.points)])
        return _tiers([Tier(at_least=self.at_least or 0.0, points=self.points)])


def technique_rules(tables: Sequence[TechniqueTable]) -> tuple[TechniqueRule, ...]:
    """The rules of ``rubric.technique``. Raises: ``ManifestError``."""
    for index, table in enumerate(tables):
        where = ("rubric", "technique", index, "at_least")
        if table.at_least is not None and table.check is not TechniqueCheck.USES_SHARED:
            refuse(
                f"at_least belongs to {TechniqueCheck.USES_SHARED}, not to {table.check}; remove it", *where
            )
        if table.at_least is not None and not 0 < table.at_least <= 1:
            refuse(f"at_least is {table.at_least:g}; it is a share above 0 and at most 1", *where)
    return tuple(
        TechniqueRule(kernel=table.kernel, check=table.check, points=table.points, at_least=table.at_least)
        for table in tables
    )


def speed_rules(
    tables: Sequence[SpeedTable], baseline: str, program: ProgramRequest | None = None
) -> tuple[SpeedRule, ...]:
    """The rules of ``rubric.speed``, relative to ``baseline`` unless they say otherwise.

    ``program`` is that of a program lab. Raises: ``ManifestError``.
    """
    rules = []
    for index, table in enumerate(tables):
        try:
            rules.append(table.rule(baseline, program))
        except ValueError as error:
            of = f" ({table.kernel})" if table.kernel else ""
            refuse(f"rubric.speed {index + 1}{of}: {error}", "rubric", "speed", index)
    return tuple(rules)


def _tiers(steps: list[Tier]) -> Tiers:
    if not steps:
        msg = "tiers are empty"
        raise ValueError(msg)
    below = Tier(at_least=0.0, points=0.0)
    for step in steps:
        if not below.at_least < step.at_least < math.inf:
            msg = f"at_least must be above {below.at_least:g}, is {step.at_least:g}"
            raise ValueError(msg)
        if not below.points < step.points < math.inf:
            msg = f"points must be above {below.points:g} for {step.at_least:g}, are {step.points:g}"
            raise ValueError(msg)
        below = step
    return Tiers(steps=tuple(steps))


def _line(line: Linear) -> Linear:
    if not 0 < line.start < line.full < math.inf:
        msg = f"linear must rise from above 0, goes from {line.start:g} to {line.full:g}"
        raise ValueError(msg)
    if not 0 < line.points < math.inf:
        msg = f"points must be above 0, are {line.points:g}"
        raise ValueError(msg)
    return line
