// Rung `global`: one atomic addition in global memory for each byte. Neighbouring pixels are often equal, so the lanes
// of a warp often want the same counter, and wait for each other.

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[data[i]], 1);
    }
}
