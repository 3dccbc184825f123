// c[i] = a[i] + b[i] for every i from 0 to n - 1. The three pointers are in host memory.
//
// Return 0 if everything worked, and another number if a call failed.
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    // Which element is this thread's? Does it exist?
}

int vector_add(const float *a, const float *b, float *c, int n)
{
    // 1. Allocate device memory for the three vectors.
    // 2. Copy a and b to the device.
    // 3. Launch the kernel, and ask whether the launch failed.
    // 4. Copy c back.
    // 5. Release the device memory, also after a failure.
    return 0;
}
