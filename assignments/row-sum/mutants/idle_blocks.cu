// mutant: a dead store to shared memory, and many idle blocks | verdict: accepted | part: technique | loses: 10 | beside: global
__device__ void sum_row(const float *a, float *out, int rows, int cols)
{
    __shared__ volatile float tile[1];
    int row = blockIdx.x * 256 + threadIdx.x;
    if (blockIdx.y > 0)
        return;
    if (row == 0)
        tile[0] = 0.0f;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int col = 0; col < cols; col++)
        sum += a[(size_t)row * cols + col];
    out[row] = sum;
}

// launch: row_sum_shared block=256 grid=ceil(rows/256),64
__global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    sum_row(a, out, rows, cols);
}

// launch: row_sum_shared_padded block=256 grid=ceil(rows/256),64
__global__ void row_sum_shared_padded(const float *a, float *out, int rows, int cols)
{
    sum_row(a, out, rows, cols);
}
