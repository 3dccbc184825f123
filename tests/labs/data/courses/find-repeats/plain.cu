__global__ void find_repeats(const int *a, int *found, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n && a[i] == a[i + 1]) found[atomicAdd(count, 1)] = i;
}
