"""What ``grader bench-labs`` and ``grader calibrate`` share: which labs, and their ladders as they are timed."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.cli.console import err
from grader.cli.setting import open_setting
from grader.config.settings import Config, EngineChoice, SandboxChoice
from grader.errors import UserError
from grader.grading.bench import Bench
from grader.grading.ladder import time_ladder
from grader.grading.provenance import provenance
from grader.grading.side_by_side import each_in_order
from grader.labs.lab import Lab
from grader.model.ladder import LadderReport, Provenance


@dataclass(frozen=True, slots=True)
class Wish:
    """What was typed, where something was: labs, an engine, how many labs at once."""

    names: Sequence[str]
    engine: EngineChoice | None
    jobs: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """The labs that were asked for with their ladders, what they were made with, and the configuration that applied."""

    labs: Sequence[Lab]
    ladders: Sequence[LadderReport]
    made: Provenance
    config: Config

    @property
    def complete(self) -> bool:
        """Whether every rung has a time."""
        return not any(row.reason for ladder in self.ladders for row in ladder.rows)


def timed(
    wish: Wish,
    show: Callable[[Lab, LadderReport], None],
    *,
    every_case: bool,
    first: Callable[[Bench], None] = lambda _: None,
) -> Timed:
    """Time the ladders of the labs that were named, of all where none was, and ``show`` each when it is done.

    ``first`` may look at the bench, and refuse it, before anything is timed.
    Raises: ``UserError``, ``InfrastructureError``.
    """
    setting = open_setting()
    labs = [setting.registry.get(name) for name in wish.names] or list(setting.registry.labs.values())
    if not labs:
        msg = "There is no lab to time."
        raise UserError(msg, mend="Name folders of labs under [labs] in grader.toml.")
    cancelled = threading.Event()
    ladders: list[LadderReport] = []
    with (
        setting.bench(wish.engine, cancelled, trusted=True, sandbox=SandboxChoice.PROCESS) as bench,
        err.status("timing …") as status,
    ):
        first(bench)
        made = provenance(bench.engine, labs[0].folder)
        many = wish.jobs or setting.config.jobs.resolved
        climbed = each_in_order(
            lambda lab: time_ladder(lab, bench, every_case=every_case), labs, many, cancelled
        )
        for lab, ladder in zip(labs, climbed, strict=True):
            ladders.append(ladder)
            show(lab, ladder)
            status.update(f"timing: {len(ladders)} of {len(labs)} labs are done …")
    return Timed(labs=labs, ladders=ladders, made=made, config=setting.config)
