/* Лабораторная работа: умножение матриц на GPU (глобальная память) */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define BLOCK_SIZE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;   // столбец
    int y = blockIdx.y * blockDim.y + threadIdx.y;   // строка

    if (x >= n || y >= m)
        return;

    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
}

int main(int argc, char *argv[])
{
    int size = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = size * size * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
    for (int i = 0; i < size * size; i++) {
        a[i] = rand() / (float)RAND_MAX;
        b[i] = rand() / (float)RAND_MAX;
    }

    float *da, *db, *dc;
    cudaMalloc((void **)&da, bytes);
    cudaMalloc((void **)&db, bytes);
    cudaMalloc((void **)&dc, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);

    dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid((size + BLOCK_SIZE - 1) / BLOCK_SIZE, (size + BLOCK_SIZE - 1) / BLOCK_SIZE);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    matmul<<<grid, block>>>(da, db, dc, size, size, size);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);

    float ms = 0.0f;
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    printf("Время: %.3f мс, c[0] = %f\n", ms, c[0]);

    cudaFree(da); cudaFree(db); cudaFree(dc);
    free(a); free(b); free(c);
    return 0;
}
