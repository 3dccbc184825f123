// mutant: in row_max_global 64 threads compare with one output and store into it at once | verdict: wrong | diagnostic: global-memory race | beside: shared, shared_padded
// launch: row_max_global block=64 grid=rows
__global__ void row_max_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x;
    if (threadIdx.x == 0)
        out[row] = a[row * cols];
    __syncthreads();
    for (int col = threadIdx.x; col < cols; col += 64)
        if (a[row * cols + col] > out[row])  // <- here
            out[row] = a[row * cols + col];  // <- here
}
