// launch: matvec block=256 grid=rows
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int c = t; c < cols; c += 256)
        s[t] += a[blockIdx.x * cols + c] * x[c];
    // tree
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
