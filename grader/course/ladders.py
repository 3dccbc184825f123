"""Time the ladders of labs: every rung, in every language."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.config.settings import Config
from grader.course.environment import open_environment
from grader.course.notifier import Notifier
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.grading.environment import GradingEnvironment
from grader.grading.ladder import time_ladder
from grader.grading.parallel_map import parallel_map_unordered
from grader.grading.provenance import provenance
from grader.labs.lab import Lab
from grader.model.ladder import LadderReport, Provenance
from grader.model.reason import reason
from grader.sandbox.builtin import PROCESS


@dataclass(frozen=True, slots=True)
class TimingRequest:
    """Which labs to time, on which engine, how many at once; ``None``: as configured."""

    names: Sequence[str]
    engine: str | None
    jobs: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """The labs timed so far and their ladders, in the order asked for, with provenance and configuration."""

    labs: tuple[Lab, ...]
    ladders: tuple[LadderReport, ...]
    made: Provenance
    config: Config


def timed(  # noqa: PLR0913 - what to time, and what to do with it
    workspace: Workspace,
    request: TimingRequest,
    keep: Callable[[Timed, LadderReport], None],
    notifier: Notifier,
    *,
    every_case: bool,
    first: Callable[[GradingEnvironment], None] = lambda _: None,
) -> Timed:
    """Time the ladders of the labs in ``request``, or of all labs if it names none.

    After each lab ``keep`` gets everything timed so far, and the new ladder. ``first`` may refuse the environment
    before anything is timed.
    Raises: ``UserError``, ``InfrastructureError``; what ``keep`` got before that stays valid.
    """
    labs = [workspace.registry.get(name) for name in request.names] or list(workspace.registry.labs.values())
    if not labs:
        msg = "There is no lab to time."
        raise UserError(msg, hint="Name folders of labs under [labs] in grader.toml.")
    cancelled = threading.Event()
    found: dict[str, LadderReport] = {}
    with (
        open_environment(
            workspace, request.engine, cancelled, notifier, trusted=True, sandbox=PROCESS
        ) as environment,
        notifier.status(reason("timing")) as update,
    ):
        first(environment)
        made = provenance(environment.engine, labs[0].folder)

        def so_far() -> Timed:
            known = tuple(lab for lab in labs if lab.name in found)
            ladders = tuple(found[lab.name] for lab in known)
            return Timed(labs=known, ladders=ladders, made=made, config=workspace.config)

        many = request.jobs or workspace.config.jobs.resolved(on_gpu=environment.engine_support.on_gpu)
        for ladder in parallel_map_unordered(
            lambda lab: time_ladder(lab, environment, every_case=every_case), labs, many, cancelled
        ):
            found[ladder.lab] = ladder
            keep(so_far(), ladder)
            update(reason("timing-labs", done=len(found), total=len(labs)))
    return so_far()
