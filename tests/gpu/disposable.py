"""Run one piece of work on a GPU in a process of its own, for kernels that take the CUDA context with them."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from grader.engines.cuda.engine import CudaEngine
from grader.model.run import RunOptions, RunResult, Work

_ROOT = Path(__file__).parents[2]

_SECONDS = 120
"""For starting Python, CuPy and a CUDA context, with the kernel's own timeout on top."""


class Question(msgspec.Struct, frozen=True):
    """What the process is asked."""

    work: Work
    options: RunOptions


class Answer(msgspec.Struct, frozen=True):
    """What came of it, and whether the engine can go on."""

    result: RunResult
    poisoned: bool


def run_elsewhere(work: Work, options: RunOptions) -> Answer:
    """Run ``work`` on a ``CudaEngine`` in a fresh process."""
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu.disposable"],
        input=msgspec.msgpack.encode(Question(work, options)),
        capture_output=True,
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": path},
        timeout=_SECONDS + options.timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return msgspec.msgpack.decode(done.stdout, type=Answer)


def main() -> None:
    """Answer the question on standard input, and leave without waiting for a kernel that never ends."""
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    engine = CudaEngine()
    result = engine.run(question.work, question.options)
    sys.stdout.buffer.write(msgspec.msgpack.encode(Answer(result, engine.poisoned)))
    sys.stdout.buffer.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
