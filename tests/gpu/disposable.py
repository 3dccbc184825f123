"""Run one job on a GPU in a separate process, for kernels that destroy the CUDA context."""

import os
import subprocess
import sys
from collections.abc import Iterable

import msgspec

from grader.engines.cuda.engine import CudaEngine
from grader.model.run import Comparison, LaunchJob, OutputCheck, RunOptions, RunResult
from tests.gpu.commands import environment
from tools.paths import CHECKOUT

_SECONDS = 120
"""Time to start Python, CuPy and a CUDA context; the kernel's timeout is added."""


class Question(msgspec.Struct, frozen=True):
    """A request to the process: run ``job``, or time it against ``baseline``."""

    job: LaunchJob
    options: RunOptions
    baseline: LaunchJob | None = None
    checks: tuple[OutputCheck, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """The reply: a run or a comparison, and whether the engine is still usable."""

    poisoned: bool
    ran: RunResult | None = None
    compared: Comparison | None = None

    @property
    def result(self) -> RunResult:
        """Return the result of a run."""
        assert self.ran is not None
        return self.ran

    @property
    def comparison(self) -> Comparison:
        """Return the comparison of two jobs."""
        assert self.compared is not None
        return self.compared


def run_elsewhere(job: LaunchJob, options: RunOptions) -> Answer:
    """Run ``job`` on a ``CudaEngine`` in a new process."""
    return _asked(Question(job, options))


def compare_elsewhere(
    baseline: LaunchJob, job: LaunchJob, options: RunOptions, checks: Iterable[OutputCheck]
) -> Answer:
    """Time ``job`` against ``baseline`` in a new process."""
    return _asked(Question(job, options, baseline, tuple(checks)))


def _asked(question: Question) -> Answer:
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu.disposable"],
        input=msgspec.msgpack.encode(question),
        capture_output=True,
        cwd=CHECKOUT,
        env=environment(),
        timeout=_SECONDS + question.options.timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return msgspec.msgpack.decode(done.stdout, type=Answer)


def main() -> None:
    """Answer the request on standard input, and exit without waiting for a kernel that never ends."""
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    engine = CudaEngine()
    ran = compared = None
    if question.baseline is None:
        ran = engine.run(question.job, question.options)
    else:
        compared = engine.compare(question.baseline, question.job, question.options, question.checks)
    sys.stdout.buffer.write(msgspec.msgpack.encode(Answer(engine.poisoned, ran, compared)))
    sys.stdout.buffer.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
