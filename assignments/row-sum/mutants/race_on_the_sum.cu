// mutant: in row_sum_global 32 threads add to one output at once | verdict: wrong | diagnostic: global-memory race | beside: shared, shared_padded
// launch: row_sum_global block=32 grid=rows

__global__ void row_sum_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x;
    float sum = 0.0f;
    for (int col = threadIdx.x; col < cols; col += 32)
        sum += a[row * cols + col];
    if (threadIdx.x == 0)
        out[row] = 0.0f;
    __syncthreads();
    out[row] += sum;  // <- here
}
