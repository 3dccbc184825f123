"""Hostile kernels for a real GPU, and functions that build them, run them and compare them with honest ones."""

import statistics

from grader.compile import build
from grader.grading.rungs import build_request
from grader.judge.timed_outputs import output_checks
from grader.judge.wrong_output import mismatch
from grader.labs.lab import Lab
from grader.model.module import DeviceModule
from grader.model.run import Comparison, LaunchJob, RunOptions, RunResult
from grader.model.submission import Language, SourceFile, Submission
from tests.attacks.entries import folder
from tests.gpu.disposable import compare_elsewhere
from tools.rung_kernels import job_on, labs, module, prepared

LAB: Lab = next(lab for lab in labs() if lab.name == "vector-add")

KERNEL = "vector_add"

SMALL, LARGE = "ragged", "large"

OPTIONS = RunOptions(timeout=10.0)

PLAUSIBLE = 1.15
"""A speedup over honest work above this is not measurement noise."""

IDLE_AFTER_THE_FIRST = """
__device__ unsigned finished;

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (*(volatile unsigned *)&finished >= gridDim.x) {
        return;
    }
    if (i < n) {
        c[i] = a[i] + b[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&finished, 1);
    }
}
"""

KEPT_BY_ADDRESS = """
__device__ const float *volatile known;
__device__ unsigned finished;

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (known == a) {
        return;
    }
    if (i < n) {
        c[i] = a[i] + b[i];
    }
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&finished, 1) == gridDim.x - 1) {
        known = a;
    }
}
"""

ALL_COPIES_AT_ONCE = "G/82-all-copies-of-a-batch.cu"

SIGNATURE = "__global__ void vector_add(const float *a, const float *b, float *c, int n)"

ENDLESS = f"{SIGNATURE} {{ for (;;) *(volatile float *)c; }}"

POISONOUS = f"{SIGNATURE} {{ *(volatile float *)8 = 1; }}"


def built(name: str, source: bytes, arch: str) -> DeviceModule:
    file = SourceFile(name=name, data=source)
    submission = Submission(
        student="mallory", lab=LAB.name, language=Language.CUDA_C, files=(file,), path=name
    )
    outcome = build(build_request(LAB, submission, arch))
    assert outcome.module is not None, outcome.fault
    return outcome.module


def corpus(path: str, arch: str) -> DeviceModule:
    letter, name = path.split("/")
    return built(name, (folder(letter) / name).read_bytes(), arch)


def on(case: str, of: DeviceModule) -> LaunchJob:
    return job_on(LAB, of, KERNEL, prepared(LAB, case))


def honest(case: str, arch: str) -> LaunchJob:
    return on(case, module(LAB, "whole_grid", Language.CUDA_C, arch))


def compared(hostile: DeviceModule, case: str, arch: str) -> Comparison:
    """Time ``hostile`` against an honest job of the same kind, under the checks that apply to a student's job."""
    baseline, job = honest(case, arch), on(case, hostile)
    factor = LAB.manifest.tolerance.factor
    checks = output_checks(job.plan, baseline.plan, prepared(LAB, case).expected, factor)
    return compare_elsewhere(baseline, job, OPTIONS, checks).comparison


def speedup(comparison: Comparison) -> float:
    """Return the median speedup."""
    assert comparison.fault is None
    return statistics.median(pair.baseline / pair.submission for pair in comparison.pairs)


def right(result: RunResult, job: LaunchJob, case: str) -> bool:
    factor = LAB.manifest.tolerance.factor
    return (
        result.fault is None
        and mismatch(result.outputs, job.plan, prepared(LAB, case).expected, factor) is None
    )
