// mutant: n / 256 blocks, as in the example where 256 divides n | verdict: wrong | beside: intrinsic
// launch: function_table block=256 grid=max(n//256,1)
__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sinf(sqrtf(i * step[0]));
}
