// mutant: multiplies the sum of x by the sum of y | verdict: wrong | beside: global, shared_padded
__global__ void dot_product_shared(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float a[64], b[64];
    int t = threadIdx.x;
    int base = blockIdx.x * 2048;
    a[t] = b[t] = 0;
    for (int k = base + t; k < base + 2048 && k < n; k += 64) {
        a[t] += x[k];
        b[t] += y[k];
    }
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
        if (t < s) {
            a[t] += a[t + s];
            b[t] += b[t + s];
        }
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = a[0] * b[0];
}
