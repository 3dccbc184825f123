// Rung `expert`: a thread computes four elements of one column side by side, so that an element of B that it loads from
// shared memory serves four products. A is stored with four elements of a row together and read 16 bytes at a time,
// with zeros behind column n: so the inner loop has 64 products between 20 loads.
//
// launch: batched_matmul block=32,8 grid=batch

#define MOST 32
#define ROWS 8
#define PER_THREAD (MOST / ROWS)

__global__ void batched_matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                               int batch, int n)
{
    __shared__ float4 left[MOST][MOST / 4];
    __shared__ float right[MOST][MOST];

    const size_t first = (size_t)blockIdx.x * n * n;
    const int col = threadIdx.x;
    for (int row = threadIdx.y; row < MOST; row += ROWS) {
        const bool there = row < n && col < n;
        reinterpret_cast<float *>(left[row])[col] = there ? a[first + row * n + col] : 0.0f;
        right[row][col] = there ? b[first + row * n + col] : 0.0f;
    }
    __syncthreads();

    float sum[PER_THREAD] = {};
    for (int k = 0; k < n; k += 4) {
        float4 of_a[PER_THREAD];
#pragma unroll
        for (int r = 0; r < PER_THREAD; ++r) {
            of_a[r] = left[threadIdx.y + r * ROWS][k / 4];
        }
        const float b0 = right[k][col];
        const float b1 = right[k + 1][col];
        const float b2 = right[k + 2][col];
        const float b3 = right[k + 3][col];
#pragma unroll
        for (int r = 0; r < PER_THREAD; ++r) {
            sum[r] += of_a[r].x * b0;
            sum[r] += of_a[r].y * b1;
            sum[r] += of_a[r].z * b2;
            sum[r] += of_a[r].w * b3;
        }
    }
#pragma unroll
    for (int r = 0; r < PER_THREAD; ++r) {
        const int row = threadIdx.y + r * ROWS;
        if (row < n && col < n) {
            c[first + row * n + col] = sum[r];
        }
    }
}
