// mutant: each block stores its counts, so only the last block's are left | verdict: wrong
// launch: histogram block=256 grid=ceil(n/4096)
__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    int begin = blockIdx.x * 4096, end = min(n, begin + 4096);
    for (int i = begin + threadIdx.x; i < end; i += 256)
        atomicAdd(&bins[data[i]], 1);
    __syncthreads();
    atomicExch(&counts[threadIdx.x], bins[threadIdx.x]);
}
