__global__ void row_sum_global(const float* a, float* out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int c = 0; c < cols; ++c) s += a[r * cols + c];
  out[r] = s;
}

__device__ float tile_sum(const float* a, float* tile, int pitch, int rows, int cols) {
  int x = threadIdx.x, r0 = blockIdx.x * 32;
  float s = 0.0f;
  for (int c0 = 0; c0 < cols; c0 += 32) {
    for (int i = threadIdx.y; i < 32; i += 8)
      tile[i * pitch + x] = (r0 + i < rows && c0 + x < cols) ? a[(r0 + i) * cols + c0 + x] : 0.0f;
    __syncthreads();
    if (threadIdx.y == 0)
      for (int i = 0; i < 32; ++i) s += tile[x * pitch + i];
    __syncthreads();
  }
  return s;
}

__global__ void row_sum_shared(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[32 * 32];
  // threads without a row have nothing to do
  if (blockIdx.x * 32 + threadIdx.x < rows) {
    float s = tile_sum(a, tile, 32, rows, cols);
    if (threadIdx.y == 0) out[blockIdx.x * 32 + threadIdx.x] = s;
  }
}

__global__ void row_sum_shared_padded(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[32 * 33];
  float s = tile_sum(a, tile, 33, rows, cols);
  if (threadIdx.y == 0 && blockIdx.x * 32 + threadIdx.x < rows) out[blockIdx.x * 32 + threadIdx.x] = s;
}
