// out[i] = alpha * x[i] + y[i] for i in [0, n)
extern "C" __global__ void saxpy(const float *x, const float *y, float *out, int alpha, int n) {
    // Your turn: which i is this thread's, and what about the threads beyond n?
}
