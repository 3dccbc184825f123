// Лабораторная работа №3, вариант 5
#include <cstdio>
#include <cstdlib>

#define SIZE 1000

// глобальная память: одна нить - одна строка
__global__ void row_sum_squares_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float s = 0;
        for (int j = 0; j < cols; j++)
            s += a[row * cols + j] * a[row * cols + j];
        out[row] = s;
    }
}

// разделяемая память без выравнивания
__global__ void row_sum_squares_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float sq[32][32];
    __shared__ float part[8][32];
    int row0 = blockIdx.x * 32;
    float s = 0;

    for (int j0 = 0; j0 < cols; j0 += 32) {
        for (int i = threadIdx.y; i < 32; i += 8) {
            float x = 0;
            if (row0 + i < rows && j0 + threadIdx.x < cols)
                x = a[(row0 + i) * cols + j0 + threadIdx.x];
            sq[i][threadIdx.x] = x * x;
        }
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += 8)
            s += sq[threadIdx.x][j];
        __syncthreads();
    }
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && row0 + threadIdx.x < rows) {
        s = 0;
        for (int i = 0; i < 8; i++)
            s += part[i][threadIdx.x];
        out[row0 + threadIdx.x] = s;
    }
}

// то же с фиктивным столбцом
__global__ void row_sum_squares_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float sq[32][33];
    __shared__ float part[8][32];
    int row0 = blockIdx.x * 32;
    float s = 0;

    for (int j0 = 0; j0 < cols; j0 += 32) {
        for (int i = threadIdx.y; i < 32; i += 8) {
            float x = 0;
            if (row0 + i < rows && j0 + threadIdx.x < cols)
                x = a[(row0 + i) * cols + j0 + threadIdx.x];
            sq[i][threadIdx.x] = x * x;
        }
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += 8)
            s += sq[threadIdx.x][j];
        __syncthreads();
    }
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && row0 + threadIdx.x < rows) {
        s = 0;
        for (int i = 0; i < 8; i++)
            s += part[i][threadIdx.x];
        out[row0 + threadIdx.x] = s;
    }
}

int main()
{
    float *a = (float *)malloc(SIZE * SIZE * sizeof(float)), *aDev, *outDev;
    for (int i = 0; i < SIZE * SIZE; i++)
        a[i] = rand() % 10;
    cudaMalloc((void **)&aDev, SIZE * SIZE * sizeof(float));
    cudaMalloc((void **)&outDev, SIZE * sizeof(float));
    cudaMemcpy(aDev, a, SIZE * SIZE * sizeof(float), cudaMemcpyHostToDevice);
    row_sum_squares_global<<<(SIZE + 255) / 256, 256>>>(aDev, outDev, SIZE, SIZE);
    row_sum_squares_shared<<<(SIZE + 31) / 32, dim3(32, 8)>>>(aDev, outDev, SIZE, SIZE);
    row_sum_squares_shared_padded<<<(SIZE + 31) / 32, dim3(32, 8)>>>(aDev, outDev, SIZE, SIZE);
    cudaDeviceSynchronize();
    printf("done\n");
    return 0;
}
