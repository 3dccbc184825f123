// *sum is the sum of x[0] to x[n - 1]. Both pointers are in host memory.
//
// Each function returns 0 if everything worked, and another number if a call failed.
#include <cuda_runtime.h>

__global__ void reduce(float *x, float *sums, int n)
{
    // Each block adds its part of x and writes one sum.
}

// Called once, before the clock starts: pin x and sum here, allocate device memory, create streams. x has no numbers yet.
int reduce_sum_prepare(const float *x, int n, float *sum)
{
    return 0;
}

int reduce_sum(const float *x, int n, float *sum)
{
    // 1. Copy x to the device: at once, or in chunks and streams.
    // 2. Reduce, launch after launch, until one sum is left.
    // 3. Copy that back, and wait until it has arrived.
    return 0;
}

// Called once, at the end: release what reduce_sum_prepare has made.
int reduce_sum_finish(const float *x, int n, float *sum)
{
    return 0;
}
