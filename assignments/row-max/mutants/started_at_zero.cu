// mutant: the search of row_max_global starts at 0, which no negative number beats | verdict: wrong | beside: shared, shared_padded
__global__ void row_max_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float m = 0;
        for (int col = 0; col < cols; col++)
            if (a[row * cols + col] > m)
                m = a[row * cols + col];
        out[row] = m;
    }
}
