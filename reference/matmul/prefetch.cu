// Rung `prefetch`: as `shared`, but each thread fetches its elements of the next tiles while the present ones are
// multiplied.
//
// In `shared` a step begins with a load from global memory, and the whole block waits at the barrier until the
// slowest has arrived. Here the load is issued before the multiplications and its result is needed only after them;
// until then it is on its way into two registers. The block still has to wait for its own stores to shared memory.
//
// On a GPU of the lectures' time, with room for three such blocks on an SM, that was worth much. Today eight blocks
// of 256 threads share an SM: while one waits, the others compute, and the scheduler has hidden the latency already.

#ifndef TILE
#define TILE 16
#endif

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;

    float next_a = row < m && tx < k ? a[(size_t)row * k + tx] : 0.0f;
    float next_b = ty < k && col < n ? b[(size_t)ty * n + col] : 0.0f;

    float sum = 0.0f;
    for (int step = 0; step < k; step += TILE) {
        a_tile[ty][tx] = next_a;
        b_tile[ty][tx] = next_b;
        __syncthreads();

        const int ahead = step + TILE;
        next_a = row < m && ahead + tx < k ? a[(size_t)row * k + ahead + tx] : 0.0f;
        next_b = ahead + ty < k && col < n ? b[(size_t)(ahead + ty) * n + col] : 0.0f;

        for (int i = 0; i < TILE; ++i) {
            sum += a_tile[ty][i] * b_tile[i][tx];
        }
        __syncthreads();
    }

    if (row < m && col < n) {
        c[(size_t)row * n + col] = sum;
    }
}
