// Лабораторная работа № 3. Таблица y = sin(sqrt(x)), коэффициенты ряда в константной памяти
#include <cstdio>
#include <cassert>

__constant__ float k[5] = {-1.0f / 6, 1.0f / 120, -1.0f / 5040, 1.0f / 362880, -1.0f / 39916800};

__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = sqrtf(i * step[0]);
    // приводим к [-pi/2, pi/2]; одного float для pi мало, поэтому две части
    float m = roundf(a * 0.31830989f);
    float r = fmaf(m, 8.7422777e-8f, fmaf(m, -3.1415927f, a));
    float s = r * r;
    float p = k[0] + s * (k[1] + s * (k[2] + s * (k[3] + s * k[4])));
    p = r + r * s * p;
    if ((int)m % 2) p = -p;
    y[i] = p;
}

__global__ void function_table_fast(const float *step, float *y_fast, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y_fast[i] = __sinf(sqrtf(i * step[0]));
}

int main()
{
    const int n = 1 << 20;
    assert(n % 256 == 0);
    float *y, *h;
    float hs = 0.01f;
    cudaMalloc((void **)&y, n * sizeof(float));
    cudaMalloc((void **)&h, sizeof(float));
    cudaMemcpy(h, &hs, sizeof(float), cudaMemcpyHostToDevice);
    function_table<<<dim3(n / 256), dim3(256)>>>(0, h, y, n);
    float *res = new float[n];
    cudaMemcpy(res, y, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", res[n - 1]);
    cudaFree(y);
    return 0;
}
