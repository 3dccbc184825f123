// mutant: copies the coefficients to shared memory and does not wait for them | verdict: wrong | diagnostic: shared-memory race | beside: intrinsic
__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    __shared__ float k[5];
    if (threadIdx.x < 5) k[threadIdx.x] = c[threadIdx.x];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = sqrtf(i * step[0]);
        float h = rintf(a / 3.14159265f);
        float r = fmaf(h, 8.74227766e-8f, fmaf(h, -3.14159274f, a));
        float p = 0;
        for (int j = 4; j >= 0; j--) p = p * r * r + k[j];  // <- here
        p = r + r * r * r * p;
        y[i] = (int)h % 2 ? -p : p;
    }
}
