// Rung `expert`: a block takes a segment, and its warps add up by shuffles; a row is that of one warp. The matrix product
// has tiles of 32 x 32 in shared memory, and each thread four rows of a column.
//
// launch: dot block=256 grid=ceil(n/256)
// launch: prefix_sum block=256 grid=ceil(n/256)
// launch: axis_sum block=128 grid=ceil(rows/4)
// launch: matmul block=32,8 grid=ceil(cols/32),ceil(rows/32)

#define WARPS 8
#define TILE 32
#define ALL 0xffffffffu

__device__ float warp_sum(float value)
{
    for (int step = 16; step > 0; step /= 2) {
        value += __shfl_down_sync(ALL, value, step);
    }
    return value;
}

__global__ void dot(const float *x, const float *y, float *products, int n)
{
    __shared__ float of_warp[WARPS];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = warp_sum(i < n ? x[i] * y[i] : 0.0f);
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        const float total = warp_sum(threadIdx.x < WARPS ? of_warp[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) {
            products[blockIdx.x] = total;
        }
    }
}

__global__ void prefix_sum(const float *x, float *sums, int n)
{
    __shared__ float of_warp[WARPS];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    float sum = i < n ? x[i] : 0.0f;
    for (int step = 1; step < 32; step *= 2) {
        const float before = __shfl_up_sync(ALL, sum, step);
        if (lane >= step) {
            sum += before;
        }
    }
    if (lane == 31) {
        of_warp[warp] = sum;
    }
    __syncthreads();
    float start = 0.0f;
    for (int other = 0; other < warp; ++other) {
        start += of_warp[other];
    }
    if (i < n) {
        sums[i] = start + sum;
    }
}

__global__ void axis_sum(const float *left, float *row_sums, int rows, int inner)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int i = lane; i < inner; i += 32) {
        sum += left[row * inner + i];
    }
    sum = warp_sum(sum);
    if (lane == 0) {
        row_sums[row] = sum;
    }
}

__global__ void matmul(const float *left, const float *right, float *product, int rows, int inner, int cols)
{
    __shared__ float of_left[TILE][TILE];
    __shared__ float of_right[TILE][TILE];
    const int x = threadIdx.x;
    const int col = blockIdx.x * TILE + x;
    const int top = blockIdx.y * TILE;
    float sum[4] = {};
    for (int first = 0; first < inner; first += TILE) {
        for (int y = threadIdx.y; y < TILE; y += 8) {
            of_left[y][x] = top + y < rows && first + x < inner ? left[(top + y) * inner + first + x] : 0.0f;
            of_right[y][x] = first + y < inner && col < cols ? right[(first + y) * cols + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            const float factor = of_right[k][x];
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                sum[r] += of_left[threadIdx.y + 8 * r][k] * factor;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        const int row = top + threadIdx.y + 8 * r;
        if (row < rows && col < cols) {
            product[row * cols + col] = sum[r];
        }
    }
}
