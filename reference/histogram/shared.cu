// Rung `shared`: a block counts its bytes in shared memory, where an atomic addition is near, and then adds its 256
// counts to the result. A block takes 4096 bytes, so that the last step is a small part of the work.
//
// launch: histogram block=256 grid=ceil(n/4096)

#define VALUES 256
#define BYTES_PER_BLOCK 4096

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    __shared__ int bins[VALUES];

    bins[threadIdx.x] = 0;
    __syncthreads();
    const int begin = blockIdx.x * BYTES_PER_BLOCK;
    const int end = min(n, begin + BYTES_PER_BLOCK);
    for (int i = begin + threadIdx.x; i < end; i += VALUES) {
        atomicAdd(&bins[data[i]], 1);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
