// Rung `misaligned`: neighbouring threads on neighbouring floats, but every warp begins one float too late.
//
// The 128 bytes of a warp's request begin 4 bytes into a sector and so touch five sectors instead of four. On the G80
// such a request fell apart into one transaction for each thread; today it costs that one sector more, and what is
// left of it for the next warp is still in the cache.

__global__ void increment(float *x, int n)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < n) {
        // Thread 0 has element 1, and so on; the last one has what is left, element 0.
        const int i = thread + 1 < n ? thread + 1 : 0;
        x[i] += 1.0f;
    }
}
