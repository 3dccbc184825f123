"""The modules and request handlers of each worker role."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grader.engines.port import BlockSampler
from grader.model.build import AssemblyRequest, BuildRequest
from grader.references import resolve
from grader.worker.input_transfer import Receiver
from grader.worker.messages import (
    CompareRequest,
    InputsStored,
    PutInputsRequest,
    Ready,
    RequestKind,
    RunBlocksRequest,
    RunRequest,
    WorkerRole,
    WorkerSettings,
)
from grader.worker.serve import Handler

if TYPE_CHECKING:
    from grader.languages import LanguageSupport

Loaded = tuple[dict[str, Handler], Ready]
"""Handlers by request kind, and the worker's first message."""


def load(settings: WorkerSettings) -> Loaded:
    """Import and open what the role needs. Raises: ``UserError`` where this machine lacks it."""
    return _ROLES[settings.role](settings)


def warm_up(settings: WorkerSettings) -> None:
    """Do the work that the first request would otherwise wait for; ``load`` only checks what is missing."""
    if settings.role is WorkerRole.BUILD:
        from grader.compile import warm_up as compile_once  # noqa: PLC0415 - other roles need no compilers

        compile_once(_languages(settings))
    elif settings.engine is not None:
        settings.engine.prepare()


def _build_role(settings: WorkerSettings) -> Loaded:
    from grader.compile import load_compilers  # noqa: PLC0415 - other roles need no compilers

    languages = {each.key: each for each in _languages(settings)}
    load_compilers(languages.values())

    def translate(request: BuildRequest) -> Any:
        return languages[request.language].translate(request)

    return {RequestKind.TRANSLATE: (BuildRequest, translate)}, Ready()


def _assemble_role(_: WorkerSettings) -> Loaded:
    from grader.compile import warm_up_linker  # noqa: PLC0415 - other roles need no compilers
    from grader.compile.assembly import assemble  # noqa: PLC0415 - other roles need no compilers

    warm_up_linker()
    return {RequestKind.ASSEMBLE: (AssemblyRequest, assemble)}, Ready()


def _run_role(settings: WorkerSettings) -> Loaded:
    if settings.engine is None or settings.device is None:
        msg = "a run worker needs an engine and a device"
        raise ValueError(msg)
    engine = settings.engine.open(settings.device)
    inputs = Receiver()

    def put_inputs(request: PutInputsRequest) -> Any:
        inputs.keep(request.fresh)
        return InputsStored()

    def run(request: RunRequest) -> Any:
        (job,) = inputs.unpack(request.job)
        return engine.run(job, request.options)

    def compare(request: CompareRequest) -> Any:
        baseline, submission = inputs.unpack(request.baseline, request.submission)
        return engine.compare(baseline, submission, request.options, request.checks)

    handlers: dict[str, Handler] = {
        RequestKind.PUT_INPUTS: (PutInputsRequest, put_inputs),
        RequestKind.RUN: (RunRequest, run),
        RequestKind.COMPARE: (CompareRequest, compare),
    }
    if isinstance(engine, BlockSampler):
        sampler = engine

        def run_blocks(request: RunBlocksRequest) -> Any:
            return sampler.run_blocks(request.job, request.options)

        handlers[RequestKind.RUN_BLOCKS] = (RunBlocksRequest, run_blocks)
    return handlers, Ready(device=engine.device)


def _languages(settings: WorkerSettings) -> list["LanguageSupport"]:
    """The languages that the grader named. Raises: ``UserError`` if a package is missing here."""
    return [resolve(where) for where in settings.languages]


_ROLES: dict[WorkerRole, Callable[[WorkerSettings], Loaded]] = {
    WorkerRole.BUILD: _build_role,
    WorkerRole.ASSEMBLE: _assemble_role,
    WorkerRole.RUN: _run_role,
}
