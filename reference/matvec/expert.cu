// Rung `expert`: four rows at a time, so that each element of x is loaded once for four of A.
//
// A team of threads takes four rows and keeps four sums in registers. Where the rows are aligned, a thread
// loads four neighbouring elements with one instruction, so a step has five loads under way for 16
// multiply-adds, where `warp` has two for one. A team is the whole block for rows of 512 elements or more,
// so that a matrix with few rows still fills the device, and a warp for shorter ones, which would leave most
// of a block idle. What is left is the bandwidth of memory: each element of A is used once, and no kernel
// can change that. On large matrices `warp` is at that limit as well, because the cache answers its loads of x.
//
// launch: matvec block=128 grid=ceil(rows/(4*(1+3*min(1,511//cols))))

#define WARPS 4
#define ROWS 4
#define WIDE 512

__device__ void add_products(float sum[ROWS], const float4 of_rows[ROWS], float4 of_x)
{
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        sum[r] += of_rows[r].x * of_x.x;
        sum[r] += of_rows[r].y * of_x.y;
        sum[r] += of_rows[r].z * of_x.z;
        sum[r] += of_rows[r].w * of_x.w;
    }
}

__global__ void matvec(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int rows,
                       int cols)
{
    __shared__ float parts[WARPS][ROWS];

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const bool wide = cols >= WIDE;
    const int first = (wide ? blockIdx.x : blockIdx.x * WARPS + warp) * ROWS;
    const int member = wide ? threadIdx.x : lane;
    const int members = wide ? blockDim.x : 32;

    // A row that does not exist is replaced by the last one: loading it again is harmless, and no loop needs
    // a condition for it.
    const float *row[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        row[r] = a + (size_t)min(first + r, rows - 1) * cols;
    }

    float sum[ROWS] = {};
    // With a multiple of four columns every row begins on a multiple of 16 bytes.
    const int in_fours = cols % 4 == 0 ? cols / 4 : 0;
#pragma unroll 2
    for (int i = member; i < in_fours; i += members) {
        float4 of_rows[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            of_rows[r] = reinterpret_cast<const float4 *>(row[r])[i];
        }
        add_products(sum, of_rows, reinterpret_cast<const float4 *>(x)[i]);
    }
    if (in_fours == 0) {
#pragma unroll 4
        for (int col = member; col < cols; col += members) {
            const float of_x = x[col];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                sum[r] += row[r][col] * of_x;
            }
        }
    }

#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        for (int distance = 16; distance > 0; distance /= 2) {
            sum[r] += __shfl_xor_sync(0xffffffff, sum[r], distance);
        }
    }
    if (lane == 0) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            parts[warp][r] = sum[r];
        }
    }
    __syncthreads();

    // The block's first threads write: one for each row of the block.
    const int rows_of_block = wide ? ROWS : ROWS * WARPS;
    const int mine = blockIdx.x * rows_of_block + threadIdx.x;
    if (threadIdx.x < rows_of_block && mine < rows) {
        float total = parts[threadIdx.x / ROWS][threadIdx.x % ROWS];
        if (wide) {
            for (int w = 1; w < WARPS; ++w) {
                total += parts[w][threadIdx.x];
            }
        }
        y[mine] = total;
    }
}
