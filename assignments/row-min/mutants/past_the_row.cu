// mutant: row_min_global looks at one element too many, the first of the next row | verdict: crashed | diagnostic: out of bounds | beside: shared, shared_padded
__global__ void row_min_global(const float *a, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float m = a[r * cols];
    for (int c = 1; c <= cols; c++)
        m = fminf(m, a[r * cols + c]);  // <- here
    out[r] = m;
}
