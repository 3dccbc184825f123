// Rung `warp`: one warp computes one element of y.
//
// The lanes read 32 neighbouring elements of the row and of x at each step: coalesced without a tile, and
// without a barrier, so that the loads of several steps can be under way at once. At the end the 32 partial
// sums are added up by shuffles, from register to register. A row shorter than 32 elements leaves lanes
// idle, and the shuffles cost the same for every row. On a large matrix memory is the limit. Where the matrix
// fits into the L2 it is the number of loads: half of them are for x, which each row reads all over again.
//
// launch: matvec block=256 grid=ceil(rows/8)

__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) {
        return;
    }

    const float *of_row = a + (size_t)row * cols;
    float sum = 0.0f;
    for (int col = lane; col < cols; col += 32) {
        sum += of_row[col] * x[col];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}
