// 结构体也是一串浮点数：相邻线程处理相邻的浮点数
__global__ void increment(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1.0f;
}

// launch: increment_float3 block=256 grid=ceil(3*n/256)
__global__ void increment_float3(float *points, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 * n)
        points[i] += 1.0f;
}

// launch: increment_records block=256 grid=ceil(n/8)
__global__ void increment_records(float *records, int n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 32LL * n)
        records[i] += 1.0f;
}
