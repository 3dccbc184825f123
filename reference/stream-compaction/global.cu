// Rung `global`: each element that is kept takes the next place, by an atomic addition to the one counter that there
// is.

__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > threshold) {
        out[atomicAdd(count, 1)] = x[i];
    }
}
