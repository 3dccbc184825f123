"""How much memory a process takes that runs one kernel on large buffers with every diagnosis."""

import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np

from tools.emulator.compiling import Argument, Out, job_of, ptx_of

_COPY = """
extern "C" __global__ void k(const float4* a, float4* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float4 v = a[i]; v.x += 1; b[i] = v; }
}
"""

_CHILD = """
import pickle, resource, sys
from dataclasses import replace
import numpy as np
from grader.engines.emulator.engine import EmulatorEngine
from grader.model.devices import TESLA_T4
from grader.model.run import RunOptions

work = pickle.load(sys.stdin.buffer)
work = replace(work, inputs={"a": np.ones(work.plan.buffers[0].shape, np.float32).tobytes()})
result = EmulatorEngine(TESLA_T4).run(work, RunOptions(timeout=300))
assert result.fault is None and not result.diagnostics, result
out = np.frombuffer(result.outputs["b"], np.float32)
assert (out[::4] == 2).all() and (out[1::4] == 1).all()
print(next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith('VmHWM')))
"""


def peak_megabytes(buffer_megabytes: int) -> float:
    """The most memory that a process took for a copy between two buffers of ``buffer_megabytes`` together."""
    vectors = (buffer_megabytes << 20) // 32
    arguments: dict[str, Argument] = {"a": np.ones(4, np.float32), "b": Out((4 * vectors,)), "n": vectors}
    job = job_of(ptx_of(_COPY), "k", vectors // 256, 256, arguments)
    source, *others = job.plan.buffers
    # The child makes the input itself: reading it from a pipe would hold it twice.
    plan = replace(job.plan, buffers=(replace(source, shape=(4 * vectors,)), *others))
    done = subprocess.run(
        [sys.executable, "-c", _CHILD],
        input=pickle.dumps(replace(job, plan=plan, inputs={})),
        capture_output=True,
        check=True,
    )
    return int(done.stdout) / 1024
