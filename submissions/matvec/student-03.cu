// matrix * vector, one warp per row
// launch: matvec block=32,8 grid=ceil(rows/8)
#include <cstdio>

__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols) {
    int row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows) return;
    float s = 0.f;
    for (int c = threadIdx.x; c < cols; c += 32) s += a[(long long)row * cols + c] * x[c];
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (threadIdx.x == 0) y[row] = s;
}

int main() {
    printf("see report\n");
    return 0;
}
