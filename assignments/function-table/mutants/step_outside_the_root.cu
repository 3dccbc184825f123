// mutant: the root of i alone, times the step | verdict: wrong | beside: intrinsic
__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sinf(sqrtf((float)i) * step[0]);
}
