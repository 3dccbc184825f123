// y[i] = alpha * x[i] + y[i] for every i from 0 to n - 1. Both pointers are in host memory.
//
// Each function returns 0 if everything worked, and another number if a call failed.
#include <cuda_runtime.h>

__global__ void multiply_add(int n, float alpha, const float *x, float *y)
{
    // Which element is this thread's? Does it exist?
}

// Called once, before the clock starts: pin x and y here, allocate device memory, create streams. Both have no numbers yet.
int stream_saxpy_prepare(int n, int alpha, const float *x, float *y)
{
    return 0;
}

int stream_saxpy(int n, int alpha, const float *x, float *y)
{
    // For each chunk, in a stream:
    // 1. Copy its part of x and y to the device.
    // 2. Launch the kernel, and ask whether the launch failed.
    // 3. Copy its part of y back.
    // Then wait for all streams.
    return 0;
}

// Called once, at the end: release what stream_saxpy_prepare has made.
int stream_saxpy_finish(int n, int alpha, const float *x, float *y)
{
    return 0;
}
