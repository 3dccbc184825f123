// mutant: row_sum_squares_global adds up in an int | verdict: wrong | beside: shared, shared_padded
__global__ void row_sum_squares_global(const float *a, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int s = 0;
    for (int c = 0; c < cols; c++)
        s += a[r * cols + c] * a[r * cols + c];
    out[r] = s;
}
