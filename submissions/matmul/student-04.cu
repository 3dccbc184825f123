#define BS 16

// tiled version. tested with 1024x1024, works
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];

    int r = blockIdx.y * BS + threadIdx.y;
    int q = blockIdx.x * BS + threadIdx.x;
    float acc = 0;

    for (int t = 0; t < k / BS; t++) {
        As[threadIdx.y][threadIdx.x] = r < m ? a[r * k + t * BS + threadIdx.x] : 0;
        Bs[threadIdx.y][threadIdx.x] = q < n ? b[(t * BS + threadIdx.y) * n + q] : 0;
        __syncthreads();
        for (int e = 0; e < BS; e++)
            acc += As[threadIdx.y][e] * Bs[e][threadIdx.x];
        __syncthreads();
    }
    if (r < m && q < n)
        c[r * n + q] = acc;
}
