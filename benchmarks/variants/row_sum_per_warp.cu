// One warp per row: lanes stride along it, and shuffles add up what they found.

__global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int col = lane; col < cols; col += 32) {
        sum += a[(size_t)row * cols + col];
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    }
    if (lane == 0) {
        out[row] = sum;
    }
}
