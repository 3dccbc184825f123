// mutant: threads beyond n write too | verdict: crashed | diagnostic: out of bounds
extern "C" __global__ void saxpy(const float *x, const float *y, float *out, int alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = alpha * x[i] + y[i];
}
