// Rung `coalesced`: thread k has float k.
//
// The 32 threads of a warp touch 128 bytes in a row: four sectors, every byte of them wanted. What limits it now is
// how many requests are on their way at once: each thread has a single load to wait for.

__global__ void increment(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += 1.0f;
    }
}
