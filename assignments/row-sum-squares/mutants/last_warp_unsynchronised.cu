// mutant: row_sum_squares_shared_padded unrolls the last warp without __syncwarp | verdict: wrong | diagnostic: missing warp synchronisation | beside: global, shared
// launch: row_sum_squares_shared_padded block=128 grid=rows

__global__ void row_sum_squares_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    float x, sum = 0;
    for (int c = t; c < cols; c += 128) {
        x = a[blockIdx.x * cols + c];
        sum += x * x;
    }
    s[t] = sum;
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];  // <- here
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
