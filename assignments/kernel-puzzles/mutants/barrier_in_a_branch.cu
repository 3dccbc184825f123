// mutant: in dot, threads that add no more wait at a barrier of their own | verdict: wrong | diagnostic: divergent barrier | beside: maps, windows
// launch: prefix_sum block=64 grid=ceil(n/16384)
// launch: axis_sum block=64 grid=ceil(rows/64)
// launch: dot block=256 grid=ceil(n/256)
__global__ void dot(const float *x, const float *y, float *products, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? x[i] * y[i] : 0.0f;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2)
        if (t < step) {
            part[t] += part[t + step];
            __syncthreads();  // <- here
        } else {
            __syncthreads();  // <- here
        }
    if (t == 0) products[blockIdx.x] = part[0];
}

__global__ void prefix_sum(const float *x, float *sums, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 256;
    float sum = 0.0f;
    for (int i = first; i < min(n, first + 256); ++i) {
        sum += x[i];
        sums[i] = sum;
    }
}

__global__ void axis_sum(const float *left, float *row_sums, int rows, int inner)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < inner; ++i) {
        sum += left[row * inner + i];
    }
    row_sums[row] = sum;
}

__global__ void matmul(const float *left, const float *right, float *product, int rows, int inner, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k) {
        sum += left[row * inner + k] * right[k * cols + col];
    }
    product[row * cols + col] = sum;
}
