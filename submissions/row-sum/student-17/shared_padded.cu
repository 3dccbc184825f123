// Вариант 2. Разделяемая память с выравниванием: в каждой строке один лишний элемент
#define BLOCK_SIZE 32

__global__ void row_sum_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float as[BLOCK_SIZE][BLOCK_SIZE + 1];
    __shared__ float part[8][BLOCK_SIZE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int first = blockIdx.x * BLOCK_SIZE;      // первая строка блока
    float sum = 0.0f;

    for (int begin = 0; begin < cols; begin += BLOCK_SIZE)
    {
        // загружаем подматрицу, за границей матрицы - нули
        for (int i = ty; i < BLOCK_SIZE; i += 8)
            if (first + i < rows && begin + tx < cols)
                as[i][tx] = a[(first + i) * cols + begin + tx];
            else
                as[i][tx] = 0.0f;
        __syncthreads();

        // каждая нить складывает четыре элемента своей строки
        for (int i = ty; i < BLOCK_SIZE; i += 8)
            sum += as[tx][i];
        __syncthreads();
    }

    part[ty][tx] = sum;
    __syncthreads();
    if (ty == 0 && first + tx < rows)
    {
        for (int i = 1; i < 8; i++)
            sum += part[i][tx];
        out[first + tx] = sum;
    }
}
