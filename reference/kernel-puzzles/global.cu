// Rung `global`: each part in the plainest way, without shared memory. One thread adds up a segment, a row, or the
// products of one element.
//
// launch: dot block=64 grid=ceil(n/16384)
// launch: prefix_sum block=64 grid=ceil(n/16384)
// launch: axis_sum block=64 grid=ceil(rows/64)

#define SEGMENT 256

__global__ void map_ten(const float *a, float *mapped)
{
    mapped[threadIdx.x] = a[threadIdx.x] + 10.0f;
}

__global__ void zip_add(const float *a, const float *b, float *zipped)
{
    zipped[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void guard(const float *a, float *guarded, int few)
{
    const int i = threadIdx.x;
    if (i < few) {
        guarded[i] = a[i] * 10.0f;
    }
}

__global__ void map_2d(const float *square, float *shifted, int side)
{
    const int col = threadIdx.x;
    const int row = threadIdx.y;
    if (row < side && col < side) {
        shifted[row * side + col] = square[row * side + col] + 10.0f;
    }
}

__global__ void broadcast(const float *column, const float *row, float *table, int side)
{
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    if (y < side && x < side) {
        table[y * side + x] = column[y] + row[x];
    }
}

__global__ void blocks(const float *x, float *lifted, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        lifted[i] = x[i] + 10.0f;
    }
}

__global__ void reverse_segments(const float *x, float *backwards, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = i / SEGMENT * SEGMENT;
    const int last = min(n, first + SEGMENT) - 1;
    if (i < n) {
        backwards[i] = x[first + last - i];
    }
}

__global__ void pool(const float *x, float *pooled, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = x[i];
    if (i >= 1) {
        sum += x[i - 1];
    }
    if (i >= 2) {
        sum += x[i - 2];
    }
    pooled[i] = sum;
}

__global__ void convolve(const float *x, const float *weights, float *convolved, int n, int taps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < taps && i + k < n; ++k) {
        sum += weights[k] * x[i + k];
    }
    convolved[i] = sum;
}

__global__ void dot(const float *x, const float *y, float *products, int n)
{
    const int segment = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = segment * SEGMENT;
    if (first >= n) {
        return;
    }
    float sum = 0.0f;
    for (int i = first; i < min(n, first + SEGMENT); ++i) {
        sum += x[i] * y[i];
    }
    products[segment] = sum;
}

__global__ void prefix_sum(const float *x, float *sums, int n)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * SEGMENT;
    float sum = 0.0f;
    for (int i = first; i < min(n, first + SEGMENT); ++i) {
        sum += x[i];
        sums[i] = sum;
    }
}

__global__ void axis_sum(const float *left, float *row_sums, int rows, int inner)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
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
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k) {
        sum += left[row * inner + k] * right[k * cols + col];
    }
    product[row * cols + col] = sum;
}
