// Вариант 2. Сумма строк матрицы, глобальная память: одна нить на строку
__global__ void row_sum_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows)
    {
        float sum = 0.0f;
        for (int i = 0; i < cols; i++)
            sum += a[row * cols + i];
        out[row] = sum;
    }
}
