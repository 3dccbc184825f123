// Rung `global`: one thread computes one element of y, straight from global memory.
//
// Neighbouring threads read elements of A that are a whole row apart: 32 sectors for a request that could do
// with 4. The elements of x are the same for all threads of a warp at each step, so one sector serves them
// all, and the L1 keeps it. A is what limits this kernel: it is as large as all the arithmetic, and it comes
// in scattered. With few rows there are few threads as well.

__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }

    float sum = 0.0f;
    for (int col = 0; col < cols; ++col) {
        sum += a[(size_t)row * cols + col] * x[col];
    }
    y[row] = sum;
}
