// Rung `expert`: each row gets as many threads as it is worth.
//
// A block has 128 rows, and looks at their lengths first. Rows of up to 16 nonzeros are summed by one thread
// each: a warp's 32 rows lie side by side in memory, so what its lanes read apart comes from sectors that the
// L1 has. Rows of up to 512 are summed by a warp, one after the other, which coalesces their loads. Longer
// rows are put on a list and summed by the whole block. No warp is ever busy with a row of thousands
// alone, and none is kept waiting for a row of three. Each sum is made in an order that depends on nothing
// but the row, so the result is the same at every run, although the list fills in any order. What limits the
// kernel now are the elements of x: 32 bytes come from memory or the L2 for four that are used.
//
// launch: spmv block=128 grid=ceil(rows/128)

#define ROWS 128
#define WARPS (ROWS / 32)
#define SHORT 16
#define LONG 512

__device__ float sum_of_warp(float value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, distance);
    }
    return value;
}

// The sum of all threads' values, in every thread.
__device__ float sum_of_block(float value)
{
    __shared__ float parts[WARPS];

    value = sum_of_warp(value);
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = value;
    }
    __syncthreads();
    const float sum = parts[0] + parts[1] + parts[2] + parts[3];
    // Nobody may leave the parts of the next row while these are being added up.
    __syncthreads();
    return sum;
}

// The products begin, begin + step, begin + 2 * step, ... of a row that ends before end.
__device__ float sum_of_products(const int *__restrict__ columns, const float *__restrict__ values,
                                 const float *__restrict__ x, int begin, int end, int step)
{
    float sum = 0.0f;
#pragma unroll 4
    for (int i = begin; i < end; i += step) {
        sum += values[i] * x[columns[i]];
    }
    return sum;
}

__global__ void spmv(const int *__restrict__ row_starts, const int *__restrict__ columns,
                     const float *__restrict__ values, const float *__restrict__ x, float *__restrict__ y, int rows)
{
    __shared__ int long_rows[ROWS];
    __shared__ int long_count;

    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * ROWS + threadIdx.x;

    if (threadIdx.x == 0) {
        long_count = 0;
    }
    __syncthreads();

    // Threads behind the last row have an empty one.
    const int begin = row_starts[min(row, rows)];
    const int end = row_starts[min(row + 1, rows)];
    const int length = end - begin;
    if (length > LONG) {
        long_rows[atomicAdd(&long_count, 1)] = row;
    }

    float mine = length <= SHORT ? sum_of_products(columns, values, x, begin, end, 1) : 0.0f;
    // All lanes together: the rows of this warp that are too long for a lane and not too long for a warp.
    unsigned int left = __ballot_sync(0xffffffff, length > SHORT && length <= LONG);
    while (left != 0) {
        const int owner = __ffs(left) - 1;
        left &= left - 1;
        const int from = __shfl_sync(0xffffffff, begin, owner);
        const int to = __shfl_sync(0xffffffff, end, owner);
        const float sum = sum_of_warp(sum_of_products(columns, values, x, from + lane, to, 32));
        if (lane == owner) {
            mine = sum;
        }
    }
    if (row < rows && length <= LONG) {
        y[row] = mine;
    }
    __syncthreads();

    for (int k = 0; k < long_count; ++k) {
        const int from = row_starts[long_rows[k]];
        const int to = row_starts[long_rows[k] + 1];
        const float sum = sum_of_block(sum_of_products(columns, values, x, from + threadIdx.x, to, ROWS));
        if (threadIdx.x == 0) {
            y[long_rows[k]] = sum;
        }
    }
}
