"""What ``grader bench-labs`` and ``grader calibrate`` share: which labs, and their ladders as they are timed."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

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
    """The labs timed so far with their ladders, what they were made with, and the configuration that applied."""

    labs: tuple[Lab, ...]
    ladders: tuple[LadderReport, ...]
    made: Provenance
    config: Config


def is_complete(ladders: Iterable[LadderReport]) -> bool:
    """Whether every rung has a time."""
    return not any(row.reason for ladder in ladders for row in ladder.rows)


def timed(
    wish: Wish,
    keep: Callable[[Timed], None],
    *,
    every_case: bool,
    first: Callable[[Bench], None] = lambda _: None,
) -> Timed:
    """Time the ladders of the labs that were named, of all where none was. ``keep`` gets what there is after each lab.

    ``first`` may look at the bench, and refuse it, before anything is timed.
    Raises: ``UserError``, ``InfrastructureError``; what ``keep`` was given by then stands.
    """
    setting = open_setting()
    labs = [setting.registry.get(name) for name in wish.names] or list(setting.registry.labs.values())
    if not labs:
        msg = "There is no lab to time."
        raise UserError(msg, mend="Name folders of labs under [labs] in grader.toml.")
    cancelled = threading.Event()
    with (
        setting.bench(wish.engine, cancelled, trusted=True, sandbox=SandboxChoice.PROCESS) as bench,
        err.status("timing …") as status,
    ):
        first(bench)
        made = provenance(bench.engine, labs[0].folder)
        many = wish.jobs or setting.config.jobs.resolved
        done = Timed(labs=(), ladders=(), made=made, config=setting.config)
        climbed = each_in_order(
            lambda lab: time_ladder(lab, bench, every_case=every_case), labs, many, cancelled
        )
        for lab, ladder in zip(labs, climbed, strict=True):
            done = replace(done, labs=(*done.labs, lab), ladders=(*done.ladders, ladder))
            keep(done)
            status.update(f"timing: {len(done.labs)} of {len(labs)} labs are done …")
    return done
