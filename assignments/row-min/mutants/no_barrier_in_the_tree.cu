// mutant: row_min_shared halves its numbers without waiting | verdict: wrong | diagnostic: shared-memory race | beside: global, shared_padded
// launch: row_min_shared block=128 grid=rows
#include <math.h>
__global__ void row_min_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float found[128];
    int t = threadIdx.x;
    float m = INFINITY;
    for (int col = t; col < cols; col += 128)
        m = fminf(m, a[blockIdx.x * cols + col]);
    found[t] = m;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
        if (t < half)
            found[t] = fminf(found[t], found[t + half]);  // <- here
    if (t == 0)
        out[blockIdx.x] = found[0];
}
