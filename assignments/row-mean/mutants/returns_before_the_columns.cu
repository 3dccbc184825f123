// mutant: in row_mean_global threads without a row leave, though they have a column | verdict: wrong | beside: shared, shared_padded
__global__ void row_mean_global(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;

    float sum = 0;
    for (int j = 0; j < cols; j++)
        sum += a[i * cols + j];
    row_means[i] = sum / cols;

    if (i < cols) {
        sum = 0;
        for (int j = 0; j < rows; j++)
            sum += a[j * cols + i];
        column_means[i] = sum / rows;
    }
}
