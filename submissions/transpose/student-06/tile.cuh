#pragma once

template <typename T, int DIM, int STEP>
__device__ void transpose_tile(const T *in, T *out, int rows, int cols)
{
    __shared__ T tile[DIM][DIM + 1];
    const int c0 = blockIdx.x * DIM, r0 = blockIdx.y * DIM;

#pragma unroll
    for (int i = 0; i < DIM; i += STEP) {
        const int r = r0 + threadIdx.y + i, c = c0 + threadIdx.x;
        if (r < rows && c < cols)
            tile[threadIdx.y + i][threadIdx.x] = in[r * cols + c];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DIM; i += STEP) {
        const int r = c0 + threadIdx.y + i, c = r0 + threadIdx.x;
        if (r < cols && c < rows)
            out[r * rows + c] = tile[threadIdx.x][threadIdx.y + i];
    }
}
