"""Small CUDA C kernels, compiled by NVRTC directly: device code for engine tests that do not use ``grader.compile``."""

import functools

from grader.model.module import DeviceModule
from tests.engines.nvrtc_module import compiled

FILE = "little.cu"

SOURCE = """
extern "C" {

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void combine(int i, unsigned int u, long long l, unsigned long long v, float f, double d, double *out)
{
    out[0] = i; out[1] = u; out[2] = (double)l; out[3] = (double)v; out[4] = f; out[5] = d;
}

__global__ void reverse(const int *a, int *b, int n)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    b[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

__global__ void increment(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1.0f;
}

__global__ void first_half(float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) c[i] = 0.0f;
}

__global__ void spoil(const float *a, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { c[i] = a[i]; ((float *)a)[i] = -1.0f; }
}

__device__ int calls;

__global__ void count(int *out)
{
    out[0] = ++calls;
}

// As Numba passes a vector: meminfo, parent, nitems, itemsize, data, shape, stride.
__global__ void record(void *, void *, long long nitems, long long itemsize, double *data, long long extent,
                       long long stride)
{
    data[0] = nitems; data[1] = itemsize; data[2] = extent; data[3] = stride;
}

__global__ void coordinates(int *out)
{
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
    out[i] = i;
}

__global__ void past_the_end(float *c, int n)
{
    c[n + threadIdx.x] = 1.0f;
}

__global__ void before_the_start(float *c, int n)
{
    c[-1 - (int)threadIdx.x] = 1.0f;
}

__global__ void null_write(float *c, int n)
{
    // Computed, so that the compiler cannot see a null pointer and drop the write as undefined.
    float *nowhere = (float *)(long long)(n - 1);
    nowhere[0] = 1.0f;
}

__global__ void misaligned(float *c, int n)
{
    *(float *)((char *)c + n) = 1.0f;
}

__global__ void endless(float *c, int n)
{
    volatile float *seen = c;
    while (n > 0) seen[0] = 1.0f;
}

__global__ void trap(float *c, int n)
{
    if (n > 0) asm("trap;");
    c[0] = 1.0f;
}

}
"""

_SIGNATURES = {
    "add": ("const float32 a[n]", "const float32 b[n]", "float32 c[n]", "int32 n"),
    "combine": ("int32 i", "uint32 u", "int64 l", "uint64 v", "float32 f", "float64 d", "float64 out[6]"),
    "reverse": ("const int32 a[n]", "int32 b[n]", "int32 n"),
    "increment": ("float32 x[n]", "int32 n"),
    "first_half": ("float32 c[n]", "int32 n"),
    "spoil": ("const float32 a[n]", "float32 c[n]", "int32 n"),
    "count": ("int32 out[1]",),
    "record": ("float64 out[n]",),
    "coordinates": ("int32 out[n]",),
    "past_the_end": ("float32 c[n]", "int32 n"),
    "before_the_start": ("float32 c[n]", "int32 n"),
    "null_write": ("float32 c[n]", "int32 n"),
    "misaligned": ("float32 c[n]", "int32 n"),
    "endless": ("float32 c[n]", "int32 n"),
    "trap": ("float32 c[n]", "int32 n"),
}


@functools.cache
def little_kernels(*archs: str) -> DeviceModule:
    """Compile all kernels above to PTX for ``compute_75``, with a cubin for each of ``archs``."""
    return compiled(SOURCE, FILE, _SIGNATURES, *archs, numba={"record"})
