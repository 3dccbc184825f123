// mutant: matmul leaves out the last products where inner is no multiple of 16 | verdict: wrong | beside: maps, windows
// launch: dot block=64 grid=ceil(n/16384)
// launch: prefix_sum block=64 grid=ceil(n/16384)
// launch: axis_sum block=64 grid=ceil(rows/64)
__global__ void matmul(const float *left, const float *right, float *product, int rows, int inner, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float sum = 0;
    for (int k = 0; k < inner / 16 * 16; k++)
        sum += left[row * inner + k] * right[k * cols + col];
    product[row * cols + col] = sum;
}

__global__ void dot(const float *x, const float *y, float *products, int n)
{
    int segment = blockIdx.x * blockDim.x + threadIdx.x;
    int first = segment * 256;
    if (first >= n) {
        return;
    }
    float sum = 0.0f;
    for (int i = first; i < min(n, first + 256); ++i) {
        sum += x[i] * y[i];
    }
    products[segment] = sum;
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
