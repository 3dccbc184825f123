"""A program that tries the compilers, the runtime and the device process."""

from grader.programs.build import Sources

_TEXT = b"""
#include <cuda_runtime.h>
__global__ void write(int *x) { *x = 42; }
int main()
{
    int *d, h = 0;
    cudaMalloc(&d, sizeof h);
    write<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h == 42 ? 0 : 1;
}
"""

SAMPLE = Sources(files={"sample.cu": _TEXT})
"""It ends with exit code 0 if its kernel ran."""
