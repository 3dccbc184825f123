// mutant: row_min_shared starts at FLT_MIN, the smallest positive float | verdict: wrong | beside: global, shared_padded
#include <float.h>
// launch: row_min_shared block=128 grid=rows
__global__ void row_min_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float found[128];
    int t = threadIdx.x;
    found[t] = FLT_MIN;
    for (int col = t; col < cols; col += 128)
        found[t] = fminf(found[t], a[blockIdx.x * cols + col]);
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            found[t] = fminf(found[t], found[t + half]);
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = found[0];
}
