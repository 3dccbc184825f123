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

    A lab of ``names`` that cannot be loaded is one failed finding. Raises: ``UserError`` for an unknown lab, or if this
    machine cannot grade.
    """
    registry = workspace.registry
    broken = [lab for lab in registry.broken if lab.name in names] if names else []
    loadable = [name for name in names if not any(lab.name == name for lab in broken)]
    labs = [registry.get(name) for name in loadable] if names else list(registry.labs.values())
    for lab in broken:
        yield [Finding(lab=lab.name, check="manifest", passed=False, detail=lab.reason)]
    if not labs:
        return
    cancelled = threading.Event()
    with (
        open_environment(
            workspace, engine, cancelled, notifier, trusted=True, sandbox=PROCESS
        ) as environment,
        notifier.status(reason("validating")),
    ):
        many = jobs or workspace.config.jobs.resolved(on_gpu=environment.engine_support.on_gpu)
        yield from validate_all(labs, environment, many, cancelled)
