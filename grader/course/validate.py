"""Validate labs: show that they grade as they should."""

import threading
from collections.abc import Iterator, Sequence

from grader.course.environment import open_environment
from grader.course.notifier import Notifier
from grader.course.workspace import Workspace
from grader.grading.validate import Finding, validate_all
from grader.model.reason import reason
from grader.sandbox.builtin import PROCESS


def validate(
    workspace: Workspace,
    names: Sequence[str],
    engine: str | None,
    jobs: int | None,
    notifier: Notifier,
) -> Iterator[Sequence[Finding]]:
    """Yield the findings of each of the labs ``names``, or of all labs, as its checks finish.

    Raises: ``UserError`` for an unknown lab, or if this machine cannot grade.
    """
    labs = [workspace.registry.get(name) for name in names] or list(workspace.registry.labs.values())
    cancelled = threading.Event()
    with (
        open_environment(
            workspace, engine, cancelled, notifier, trusted=True, sandbox=PROCESS
        ) as environment,
        notifier.status(reason("validating")),
    ):
        many = jobs or workspace.config.jobs.resolved(on_gpu=environment.engine_support.on_gpu)
        yield from validate_all(labs, environment, many, cancelled)
