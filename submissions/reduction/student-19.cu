// Sum reduction, step 0 and step 1 of the slides.
//
// The int version has one thread per pair, as on the slide: n/2 threads.
// launch: reduce_int32 block=256 grid=ceil(n/2/256)

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    int t = threadIdx.x;
    int i = 2 * (blockIdx.x * blockDim.x + t);
    if (i < n)
        work[i] = a[i];
    if (i + 1 < n)
        work[i + 1] = a[i + 1];
    __syncthreads();
    for (int stride = 1; stride <= blockDim.x; stride *= 2) {
        // every block has 512 values
        int j = 2 * blockIdx.x * blockDim.x + 2 * stride * t;
        if (t < blockDim.x / stride && j + stride <= n)
            work[j] += work[j + stride];
        __syncthreads();
    }
    if (t == 0)
        a_sums[blockIdx.x] = work[i];
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i < n)
        work[i] = x[i];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride && i + stride < n)
            work[i] += work[i + stride];
        __syncthreads();
    }
    if (t == 0)
        x_sums[blockIdx.x] = work[i];
}
