__global__ void sort_step(int *x, int n, int phase)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && x[i] > x[i + 1]) {
        int left = x[i];
        x[i] = x[i + 1];
        x[i + 1] = left;
    }
}
