// mutant: row_min_global takes the element that is nearest to 0 | verdict: wrong | beside: shared, shared_padded
__global__ void row_min_global(const float *a, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float m = a[r * cols];
    for (int c = 1; c < cols; c++)
        if (fabsf(a[r * cols + c]) < fabsf(m)) m = a[r * cols + c];
    out[r] = m;
}
