// mutant: the threads beyond the end write as well | verdict: crashed | diagnostic: out of bounds | beside: intrinsic
__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = sinf(sqrtf(i * step[0]));  // <- here
}
