// mutant: handles multiples of the block only | verdict: wrong
extern "C" __global__ void saxpy(const float *x, const float *y, float *out, int alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / blockDim.x * blockDim.x) out[i] = alpha * x[i] + y[i];
}
