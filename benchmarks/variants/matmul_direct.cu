// One thread per element of C, straight from global memory. ROWS_ALONG_X turns the block round: neighbouring lanes then
// take neighbouring rows of A, and every access of a warp is scattered.

#ifndef ROWS_ALONG_X
#define ROWS_ALONG_X 0
#endif

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    const int along_x = blockIdx.x * blockDim.x + threadIdx.x;
    const int along_y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = ROWS_ALONG_X ? along_x : along_y;
    const int col = ROWS_ALONG_X ? along_y : along_x;
    if (row >= m || col >= n) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    }
    c[(size_t)row * n + col] = sum;
}
