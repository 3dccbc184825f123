"""Little CUDA C kernels, compiled by NVRTC itself: device code for engine tests that asks nothing of the build room."""

import functools

from cuda.bindings import nvrtc

from grader.model.kernel import Param
from grader.model.module import Abi, BuiltKernel, DeviceModule, DeviceUnit, KernelResources

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

_RESOURCES = KernelResources(registers=32, spill_bytes=0, local_bytes=0, shared_bytes=0, max_threads=1024)
"""Generous for every kernel above; what ptxas really says is the build room's to find out."""


@functools.cache
def little_kernels(*archs: str) -> DeviceModule:
    """All kernels above as PTX for ``compute_75``, with a cubin for each of ``archs``."""
    unit = DeviceUnit(
        name=FILE,
        ptx=_compile("compute_75").decode(),
        cubins={arch: _compile(arch) for arch in archs},
    )
    kernels = tuple(
        BuiltKernel(
            name=name,
            symbol=name,
            unit=0,
            abi=Abi.NUMBA if name == "record" else Abi.C,
            params=tuple(Param.parse(param) for param in params),
            resources=_RESOURCES,
            file=FILE,
        )
        for name, params in _SIGNATURES.items()
    )
    return DeviceModule(units=(unit,), kernels=kernels, user_files=(FILE,))


def _compile(arch: str) -> bytes:
    """PTX for a virtual ``arch`` (``compute_75``), a cubin for a real one (``sm_90``)."""
    status, program = nvrtc.nvrtcCreateProgram(SOURCE.encode(), FILE.encode(), 0, None, None)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, status
    options = [f"-arch={arch}".encode(), b"-lineinfo"]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, _log(program)
    if arch.startswith("compute_"):
        return _fetch(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX).rstrip(b"\0")
    return _fetch(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)


def _log(program: "nvrtc.nvrtcProgram") -> str:
    return _fetch(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).decode()


def _fetch(program: "nvrtc.nvrtcProgram", size_of: "nvrtc.Getter", fill: "nvrtc.Getter") -> bytes:
    status, size = size_of(program)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, status
    data = bytes(int(size))  # filled in place by the binding
    (status,) = fill(program, data)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS, status
    return data
