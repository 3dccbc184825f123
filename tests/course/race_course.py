"""Three attempts at a lab with shared memory: one does not compile, one has a race, one is right."""

from pathlib import Path

from grader.course.workspace import Workspace, open_workspace
from tests.labs.example_lab import GOOD, folder_of_labs

MANIFEST = GOOD.replace("n = 100", "n = 128").replace("baseline = ", "nearby_sizes = false\nbaseline = ")
"""Whole blocks, so that the kernel needs no guard."""

BROKEN = "__global__ void scale(const float *x, float *y, int n)\n{ y[0] = 2 * x[0] }\n"

RACE = """__global__ void scale(const float *x, float *y, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    float mine = tile[63 - threadIdx.x];
    y[blockIdx.x * blockDim.x + 63 - threadIdx.x] = 2 * mine;
}
"""

FIXED = RACE.replace("= x[i];\n", "= x[i];\n    __syncthreads();\n")


def race_course(folder: Path, url: str) -> Workspace:
    """The course in ``folder``, which is the current one; an accepted attempt has all points."""
    folder_of_labs(folder, manifest=MANIFEST)
    Path("reference", "scale", "global.cu").write_text(FIXED, encoding="utf-8")
    Path("grader.toml").write_text(
        f'[labs]\nfolders = ["labs"]\n[engine]\nkind = "emulator"\n[jobs]\ncount = 1\n[store]\nurl = "{url}"\n'
        "[scoring]\nmodelled_speedups = true\n",
        encoding="utf-8",
    )
    return open_workspace()
