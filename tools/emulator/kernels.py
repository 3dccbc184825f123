"""Kernels of the kind that courses teach, in CUDA C."""

MATMUL = """
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int m, int k, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
        c[row * n + col] = sum;
    }
}
"""

TILED = """
#define TILE 16
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float as[TILE][TILE + PAD];
    __shared__ float bs[TILE][TILE + PAD];
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < k; t += TILE) {
        as[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = col < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
"""

TRANSPOSE = """
extern "C" __global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
"""

ROW_SUM_GLOBAL = """
extern "C" __global__ void row_sum(const float* a, float* out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = 0; i < cols; i++) sum += a[row * cols + i];
    out[row] = sum;
}
"""

ROW_SUM_SHARED = """
extern "C" __global__ void row_sum(const float* a, float* out, int rows, int cols) {
    __shared__ float partial[128];
    float sum = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += a[blockIdx.x * cols + i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
"""

REDUCTIONS = {
    "shuffles": """
extern "C" __global__ void reduce(const float* x, float* out, int n) {
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
    for (int o = 16; o; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
    __shared__ float warps[32];
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
        for (int o = 16; o; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
        if (threadIdx.x == 0) atomicAdd(out, v);
    }
}
""",
    "last warp unrolled": """
extern "C" __global__ void reduce(const float* x, float* out, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += x[i];
    s[t] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 32; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32) {
        for (int k = 32; k > 0; k /= 2) {
            float other = s[t + k];
            __syncwarp();
            s[t] += other;
            __syncwarp();
        }
    }
    if (t == 0) atomicAdd(out, s[0]);
}
""",
    "last block adds up": """
__device__ unsigned int finished = 0;
extern "C" __global__ void reduce(const float* x, float* out, int n) {
    __shared__ float s[256];
    __shared__ bool last;
    __shared__ volatile float parts_dummy;
    extern __device__ float parts[];
    int t = threadIdx.x;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += x[i];
    s[t] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) {
        out[1 + blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float total = 0;
        for (int b = 0; b < gridDim.x; b++) total += ((volatile float*)out)[1 + b];
        out[0] += total;
    }
}
""".replace("    __shared__ volatile float parts_dummy;\n    extern __device__ float parts[];\n", ""),
}
