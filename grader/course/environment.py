"""From ``grader.toml`` and options to a sandbox with an engine in it."""

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from grader.config import Config
from grader.config.settings import AUTO
from grader.course.notifier import SILENT, Notifier
from grader.course.workspace import Workspace
from grader.engines.emulator.warm_up import is_warm, warm_up
from grader.engines.registry import support
from grader.errors import UserError
from grader.grading.environment import GradingEnvironment
from grader.logs import Event, log
from grader.model.reason import reason
from grader.model.run import EngineKind
from grader.sandbox.choice import choose, offers_of, open_sandbox
from grader.sandbox.gpu import gpus
from grader.sandbox.port import Sandbox


@contextmanager
def open_environment(  # noqa: PLR0913 - the options of the services that run code
    workspace: Workspace,
    choice: str | None,
    cancelled: threading.Event | None = None,
    notifier: Notifier = SILENT,
    *,
    trusted: bool,
    sandbox: str | None = None,
    probe: bool = True,
) -> Iterator[GradingEnvironment]:
    """Context manager: a grading environment on the engine ``choice`` in ``sandbox``; the configured ones by default.

    ``trusted``: the user wrote the code, or declared its authors trusted. Without ``probe`` the emulator's first worker
    starts in the background, and a worker that cannot start is reported when it is first used.
    Raises: ``UserError`` if the engine or sandbox is not available here, or must not run such code.
    """
    config = workspace.config
    chosen = choice or config.engine.kind
    offer = choose(sandbox or config.sandbox.kind, trusted=trusted, offers=offers_of(config.sandbox))
    with closing(open_sandbox(offer, config.sandbox, cancelled)) as opened:
        prepare_emulator(notifier)  # the emulator also diagnoses kernels that a GPU grades
        if chosen == AUTO:
            environment = _automatic(config, opened, notifier, probe=probe)
        else:
            environment = _open_engine(config, support(chosen).key, opened, probe=probe)
        yield replace(environment, trusted=trusted)


def _automatic(config: Config, sandbox: Sandbox, notifier: Notifier, *, probe: bool) -> GradingEnvironment:
    # In a container CuPy belongs to the image. On a machine with a GPU, the user wants to know why it is not used.
    if gpus() or importlib.util.find_spec("cupy") is not None:
        try:
            return _open_engine(config, EngineKind.CUDA, sandbox, probe=probe)
        except UserError as error:
            log(Event.ENGINE_FALLBACK, error=str(error))
            notifier.note(reason("using-emulator", why=str(error)))
    return _open_engine(config, EngineKind.EMULATOR, sandbox, probe=probe)


def _open_engine(config: Config, kind: EngineKind, sandbox: Sandbox, *, probe: bool) -> GradingEnvironment:
    return GradingEnvironment.open(
        sandbox,
        kind,
        config.engine.device,
        config.limits,
        modelled_counts=config.scoring.modelled_speedups,
        probe=probe,
    )


def prepare_emulator(notifier: Notifier) -> None:
    """Compile the emulator unless this was done before: it takes some seconds, once."""
    if is_warm():
        return
    with notifier.status(reason("preparing-emulator")):
        warm_up()
