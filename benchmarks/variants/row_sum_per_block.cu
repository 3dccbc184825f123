// One block per row, and a tree in shared memory. NEIGHBOURS_FIRST adds at stride 1, 2, 4, ...; the bank conflicts
// double with every step; otherwise the halves are added, without conflicts.

#ifndef THREADS
#define THREADS 256
#endif
#ifndef NEIGHBOURS_FIRST
#define NEIGHBOURS_FIRST 0
#endif

__global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    const float *row = a + (size_t)blockIdx.x * cols;

    float sum = 0.0f;
    for (int col = t; col < cols; col += THREADS) {
        sum += row[col];
    }
    part[t] = sum;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const int stride = NEIGHBOURS_FIRST ? step : THREADS / 2 / step;
        const int i = NEIGHBOURS_FIRST ? 2 * step * t : t;
        if (i + stride < (NEIGHBOURS_FIRST ? THREADS : 2 * stride)) {
            part[i] += part[i + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}
