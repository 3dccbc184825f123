// Rung `global`: thread i adds up row i and column i, straight from global memory.
//
// The two halves look alike and are not. Along rows, neighbouring threads read elements a whole row apart: 32
// sectors for each request of a warp. Along columns they read neighbours: 4 sectors, as good as it gets, without
// any shared memory. What both lack is threads: as many as the longer side of the matrix has elements.

__global__ void row_mean_global(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < rows) {
        float sum = 0.0f;
        for (int col = 0; col < cols; ++col) {
            sum += a[(size_t)i * cols + col];
        }
        row_means[i] = sum / cols;
    }
    if (i < cols) {
        float sum = 0.0f;
        for (int row = 0; row < rows; ++row) {
            sum += a[(size_t)row * cols + i];
        }
        column_means[i] = sum / rows;
    }
}
