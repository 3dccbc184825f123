// mutant: i * step passes through an int | verdict: wrong | beside: intrinsic
__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = i * step[0];
        y[i] = sinf(sqrtf((float)x));
    }
}
