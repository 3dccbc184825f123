// mutant: the series is used far from zero | verdict: wrong | beside: intrinsic
__constant__ float k[5] = {-1.0f / 6, 1.0f / 120, -1.0f / 5040, 1.0f / 362880, -1.0f / 39916800};

__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = sqrtf(i * step[0]);
        float s = a * a;
        y[i] = a + a * s * (k[0] + s * (k[1] + s * (k[2] + s * (k[3] + s * k[4]))));
    }
}
