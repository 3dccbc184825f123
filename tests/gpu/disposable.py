"""Run one piece of work on a GPU in a process of its own, for kernels that take the CUDA context with them."""

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
"""For starting Python, CuPy and a CUDA context, with the kernel's own timeout on top."""


class Question(msgspec.Struct, frozen=True):
    """What the process is asked: to run ``job``, or to time it against ``baseline``."""

    job: LaunchJob
    options: RunOptions
    baseline: LaunchJob | None = None
    checks: tuple[OutputCheck, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """What came of it, a run or a comparison, and whether the engine can go on."""

    poisoned: bool
    ran: RunResult | None = None
    compared: Comparison | None = None

    @property
    def result(self) -> RunResult:
        """Of a run."""
        assert self.ran is not None
        return self.ran

    @property
    def comparison(self) -> Comparison:
        """Of two pieces of work."""
        assert self.compared is not None
        return self.compared


def run_elsewhere(job: LaunchJob, options: RunOptions) -> Answer:
    """Run ``job`` on a ``CudaEngine`` in a fresh process."""
    return _asked(Question(job, options))


def compare_elsewhere(
    baseline: LaunchJob, job: LaunchJob, options: RunOptions, checks: Iterable[OutputCheck]
) -> Answer:
    """Time ``job`` against ``baseline`` there."""
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
    """Answer the question on standard input, and leave without waiting for a kernel that never ends."""
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
