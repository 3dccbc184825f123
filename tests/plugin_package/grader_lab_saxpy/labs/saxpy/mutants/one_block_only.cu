// mutant: forgets blockIdx, so only the first block's elements are written | verdict: wrong
extern "C" __global__ void saxpy(const float *x, const float *y, float *out, int alpha, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = alpha * x[i] + y[i];
}
