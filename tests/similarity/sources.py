"""Two ways to write the same kernels, as a student would disguise one; and another kernel."""

ORIGINAL = """\
#define TILE 16
// Multiplies tiles.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int step = 0; step < k; step += TILE) {
        a_tile[threadIdx.y][threadIdx.x] = a[row * k + step + threadIdx.x];
        b_tile[threadIdx.y][threadIdx.x] = b[(step + threadIdx.y) * n + col];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
"""

DISGUISED = """\
__global__ void matmul(const float *p, const float *q, float *r, int m, int n, int k) {
  const int x = blockIdx.x * 16 + threadIdx.x; /* column */
  const int y = blockIdx.y * 16 + threadIdx.y;
  __shared__ float left[16][16]; __shared__ float right[16][16];
  float acc = 0.0f;
  int t = 0;
  while (t < k) {
    left[threadIdx.y][threadIdx.x] = p[y * k + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = q[(t + threadIdx.y) * n + x];
    __syncthreads();
    int j = 0;
    while (j < 16) { acc += left[threadIdx.y][j] * right[j][threadIdx.x]; j++; }
    __syncthreads();
    t += 16;
  }
  r[y * n + x] = acc;
}
"""

NUMBA = """\
from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c, m, n, k):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    total = float32(0.0)
    for step in range(0, k, TILE):
        a_tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[row, step + cuda.threadIdx.x]
        b_tile[cuda.threadIdx.y, cuda.threadIdx.x] = b[step + cuda.threadIdx.y, col]
        cuda.syncthreads()
        for i in range(TILE):
            total += a_tile[cuda.threadIdx.y, i] * b_tile[i, cuda.threadIdx.x]
        cuda.syncthreads()
    c[row, col] = total
"""

DIRECT = """\
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    const float *from = a + row * k;
    float even = 0, odd = 0;
    for (int i = k - 1; i >= 0; --i) {
        if (i % 2) odd = fmaf(from[i], b[i * n + col], odd);
        else even = fmaf(from[i], b[i * n + col], even);
    }
    c[row * n + col] = even + odd;
}
"""
