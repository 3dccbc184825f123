"""Run drawn blocks of a job in a session, with the parts of its inputs that they read."""

from collections.abc import Mapping, Sequence

from grader.grading.session import RunSession
from grader.model.block_sample import BlockSample, ByteRange, InputPiece, SampledJob, SampledRun
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.reason import reason
from grader.model.run import Fault, LaunchJob, RunOptions, RunResult
from grader.model.verdict import Verdict

MAX_BYTES = 192 << 20
"""Most input bytes of one sample. A sample that reads more than that is not worth its time."""

_MOST_RUNS = 4
"""Runs of a sample with diagnostics: those whose addresses depend on inputs need some to find all of them."""

_MOST_STEPS = 6_000_000
_SECONDS = 2.0
"""Limits of one run of a sample."""


class _TooManyInputsError(Exception):
    """A sample reads more input than ``MAX_BYTES``."""


def run_sample(session: RunSession, job: LaunchJob, sample: BlockSample) -> SampledRun:
    """Run some drawn blocks of ``job`` on the inputs that they read. Raises: ``InfrastructureError``.

    The first run finds out which inputs that are, so it has no diagnostics. Where addresses depend on inputs, as in a
    sparse matrix, further runs follow.
    """
    sampled = SampledJob(module=job.module, plan=job.plan, sample=sample)
    run = session.run_blocks(sampled, _options(diagnostics=False, steps=_MOST_STEPS))
    pieces: tuple[InputPiece, ...] = ()
    try:
        for _ in range(_MOST_RUNS):
            pieces = pieces_for(job.inputs, pieces, run.missing) if run.missing else pieces
            sampled = SampledJob(module=job.module, plan=job.plan, sample=sample, pieces=pieces)
            run = session.run_blocks(sampled, _options(diagnostics=True, steps=_MOST_STEPS))
            if not run.missing:
                return run
    except _TooManyInputsError:
        pass
    fault = Fault(verdict=Verdict.OVER_THE_LIMIT, reason=reason("sample-reads-too-much"))
    return SampledRun(result=RunResult(outputs={}, fault=fault))


def start_on_zeros(
    session: RunSession, module: DeviceModule, plan: LaunchPlan, sample: BlockSample
) -> SampledRun:
    """Run some drawn blocks on inputs that are zero, without diagnostics, for ``sample.steps`` at most.

    Raises: ``InfrastructureError``.
    """
    sampled = SampledJob(module=module, plan=plan, sample=sample)
    return session.run_blocks(sampled, _options(diagnostics=False, steps=sample.steps))


def pieces_for(
    inputs: Mapping[str, bytes], have: Sequence[InputPiece], missing: Sequence[ByteRange]
) -> tuple[InputPiece, ...]:
    """``have`` and the bytes of ``missing``, which a worker sent and which may name anything.

    Raises: ``_TooManyInputsError``, also where ``missing`` adds nothing.
    """
    added = [
        InputPiece(buffer=each.buffer, start=each.start, data=inputs[each.buffer][each.start : each.stop])
        for each in missing
        if each.buffer in inputs and 0 <= each.start < each.stop <= len(inputs[each.buffer])
    ]
    pieces = (*have, *added)
    if not added or sum(len(piece.data) for piece in pieces) > MAX_BYTES:
        raise _TooManyInputsError
    return pieces


def _options(*, diagnostics: bool, steps: int) -> RunOptions:
    return RunOptions(diagnostics=diagnostics, max_steps=steps, timeout=_SECONDS)
