"""Run drawn blocks of a job in a session, with the parts of its inputs that they read."""

from collections.abc import Sequence

from grader.grading.session import RunSession
from grader.model.block_sample import BlockSample, BufferPiece, ByteRange, SampledJob, SampledRun
from grader.model.module import DeviceModule
from grader.model.plan import Buffer, LaunchPlan, poison_byte
from grader.model.reason import reason
from grader.model.run import Fault, LaunchJob, RunOptions, RunResult
from grader.model.verdict import Verdict

MAX_BYTES = 192 << 20
"""Most bytes of all buffers that one sample may touch. A larger one takes too long."""

_MOST_RUNS = 4
"""Runs of a sample with diagnostics: those with addresses that depend on inputs need some to find all of them."""

_MOST_STEPS = 6_000_000
_SECONDS = 2.0
"""Limits of one run of a sample."""


class _TooManyBytesError(Exception):
    """A sample touches more than ``MAX_BYTES``."""


def run_sample(session: RunSession, job: LaunchJob, sample: BlockSample) -> SampledRun:
    """Run some drawn blocks of ``job`` on what they access. Raises: ``InfrastructureError``.

    The first run finds out which parts of the buffers that are, so it has no diagnostics. Where addresses depend on
    inputs, as in a sparse matrix, further runs follow.
    """
    sampled = SampledJob(module=job.module, plan=job.plan, sample=sample)
    run = session.run_blocks(sampled, _options(diagnostics=False, steps=_MOST_STEPS))
    pieces: tuple[BufferPiece, ...] = ()
    try:
        for _ in range(_MOST_RUNS):
            pieces = pieces_for(job, pieces, run.missing) if run.missing else pieces
            sampled = SampledJob(module=job.module, plan=job.plan, sample=sample, pieces=pieces)
            run = session.run_blocks(sampled, _options(diagnostics=True, steps=_MOST_STEPS))
            if not run.missing:
                return run
    except _TooManyBytesError:
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
    job: LaunchJob, have: Sequence[BufferPiece], missing: Sequence[ByteRange]
) -> tuple[BufferPiece, ...]:
    """``have`` and the bytes of ``missing``: inputs, and poison as in every run elsewhere.

    A worker sent ``missing``, so it may name anything. Raises: ``_TooManyBytesError``, also where it adds nothing.
    """
    buffers = {buffer.name: buffer for buffer in job.plan.buffers}
    known = [each for each in missing if _is_in(each, buffers.get(each.buffer))]
    total = sum(len(piece.data) for piece in have) + sum(each.stop - each.start for each in known)
    if not known or total > MAX_BYTES:
        raise _TooManyBytesError
    added = (_piece(job, buffers[each.buffer], each) for each in known)
    return (*have, *added)


def _is_in(part: ByteRange, buffer: Buffer | None) -> bool:
    return buffer is not None and 0 <= part.start < part.stop <= buffer.nbytes


def _piece(job: LaunchJob, buffer: Buffer, part: ByteRange) -> BufferPiece:
    if buffer.name in job.inputs:
        data = job.inputs[buffer.name][part.start : part.stop]
    else:
        data = bytes([poison_byte(buffer.dtype)]) * (part.stop - part.start)
    return BufferPiece(buffer=buffer.name, start=part.start, data=data)


def _options(*, diagnostics: bool, steps: int) -> RunOptions:
    return RunOptions(diagnostics=diagnostics, max_steps=steps, timeout=_SECONDS)
