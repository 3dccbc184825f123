"""Small program labs: their manifests and classes."""

from dataclasses import replace
from pathlib import Path

from grader.labs.folder import load_lab
from grader.labs.lab import Lab

HEAD = """
schema_version = 1
kind = "program"
name = "double"
version = "1.0"
title = "Double"
summary = "y = 2 x"
source = "a test"
baseline = "plain"
"""

FUNCTION = """
[program]
function = "doubled"
params = ["const float32 x[n]", "float32 y[n]", "int32 n"]
device = "Tesla T4"
"""

MAIN = """
[program]
params = ["const int32 x[n]", "int64 sum[1]", "int32 y[n]", "int32 n"]
arguments = ["{n}", "{x}", "{y}"]
stdout = "sum = {sum}"
device = "Tesla T4"
"""

REST = """
[[rungs]]
name = "plain"
summary = "the only one"
[[cases]]
name = "small"
visibility = "public"
use = ["check", "time"]
sizes = { n = 100 }
inputs = "normal"
[[cases]]
name = "secret"
visibility = "hidden"
use = ["check"]
sizes = { n = 33 }
inputs = "normal"
[tolerance]
factor = 0.0
derivation = "a product by two is exact"
[rubric]
correctness = 60
[[rubric.structure]]
check = "no-leak"
points = 10
[[rubric.structure]]
check = "errors-checked"
points = 10
[[rubric.structure]]
check = "copied-once"
points = 10
[[rubric.speed]]
at_least = 0.2
points = 10
"""

CODE = """
import numpy as np
from grader.labs import Expected, Lab

class Double(Lab):
    def inputs(self, case, rng):
        dtype = self.manifest.program.params[0].dtype.numpy
        return {"x": rng.integers(-1000, 1000, case.sizes["n"]).astype(dtype)}

    def oracle(self, case, inputs):
        found = {"y": Expected(2 * inputs["x"].astype(np.int64))}
        if self.manifest.program.function is None:
            found["sum"] = Expected(np.array([2 * inputs["x"].astype(np.int64).sum()]))
        return found
"""

KERNEL = """
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void times(int factor, const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}

// The length chooses the mistake.
static int on_device(const T *x, T *y, int n)
{
    T *dx = nullptr, *dy = nullptr;
    size_t bytes = n * sizeof(T);
    if (cudaMalloc(&dx, bytes)) return 1;
    if (cudaMalloc(&dy, bytes)) return 1;
    if (cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice)) return 1;
    if (n == 201) if (cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice)) return 1;
    times<<<(n + 127) / 128, 128>>>(n == 105 ? 3 : 2, dx, dy, n);
    cudaError_t error = cudaGetLastError();
    if (error && n != 202) return 1;
    if (cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost)) return 1;
    cudaFree(dx);
    if (n != 203) cudaFree(n == 204 ? dx : dy);
    return 0;
}
"""

FUNCTION_SOURCE = (
    KERNEL.replace("T *", "float *").replace("sizeof(T)", "sizeof(float)")
    + """
#include <unistd.h>
static const char KERNEL_NAME[256] = "\\xff\\xff\\xff\\xff";
int doubled(const float *x, float *y, int n)
{
    if (n == 101) return 3;
    if (n == 102) exit(0);
    if (n == 103) exit(4);
    if (n == 104) abort();
    if (n == 106) return 0;
    if (n == 107) for (int i = 0; i < n; i++) y[i] = 2 * x[i];
    if (n == 107) return 0;
    if (n == 108) for (volatile int i = 0;; i++) {}
    if (n == 110) if (write(atoi(getenv("GRADER_CHANNEL")), KERNEL_NAME, 256) > 0) return 0;
    if (n == 109) if (FILE *file = fopen("/etc/hostname", "r")) return 9;
    return on_device(x, y, n);
}
int main() { return doubled(nullptr, nullptr, 0); }
"""
)

MAIN_SOURCE = (
    KERNEL.replace("T *", "int *").replace("sizeof(T)", "sizeof(int)")
    + """
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int *x = new int[n], *y = new int[n + 1];
    FILE *in = fopen(argv[2], "rb");
    if (fread(x, sizeof(int), n, in) != size_t(n)) return 2;
    fclose(in);
    if (on_device(x, y, n)) return 1;
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += y[i];
    FILE *out = fopen(n == 305 ? "elsewhere" : argv[3], "wb");
    fwrite(y, sizeof(int), n == 303 ? n - 1 : n == 304 ? n + 1 : n, out);
    fclose(out);
    if (n != 301) printf("n is %d\\nSum =  %lld\\n", n, sum);
    if (n == 302) printf("sum = 0\\n");
    delete[] x;
    delete[] y;
    return n == 306 ? 5 : 0;
}
"""
)


def manifest(form: str) -> str:
    """The whole ``lab.toml`` with this ``[program]`` table."""
    return HEAD + form + REST


def with_length(lab: Lab, n: int) -> Lab:
    """The same lab with ``n`` elements in its public case, and without a hidden one."""
    case = replace(lab.manifest.cases[0], sizes={"n": n})
    return type(lab)(replace(lab.manifest, cases=(case,)), lab.folder, lab.reference)


def program_lab(root: Path, form: str = FUNCTION) -> Lab:
    """A lab that asks for ``form``, with one rung."""
    folder, reference = root / "double", root / "reference"
    folder.mkdir()
    reference.mkdir()
    (folder / "lab.toml").write_text(manifest(form), encoding="utf-8")
    (folder / "lab.py").write_text(CODE, encoding="utf-8")
    source = FUNCTION_SOURCE if form == FUNCTION else MAIN_SOURCE
    (reference / "plain.cu").write_text(source, encoding="utf-8")
    return load_lab(folder, reference)
