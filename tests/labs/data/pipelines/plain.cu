// launch: scan_blocks block=32 grid=ceil(n/block)
__global__ void scan_blocks(const int *x, int *y, int *sums, int n) {
    __shared__ int a[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    int own = i < n ? x[i] : 0;
    a[t] = own;
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        int add = t >= d ? a[t - d] : 0;
        __syncthreads();
        a[t] += add;
        __syncthreads();
    }
    if (i < n) y[i] = a[t] - own;
    if (t == 31) sums[blockIdx.x] = a[31];
}

__global__ void add_offsets(int *y, const int *offsets, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += offsets[i / 32];
}

__constant__ int weights[3];

__global__ void smooth_step(const int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int left = i > 0 ? a[i - 1] : 0, right = i + 1 < n ? a[i + 1] : 0;
    b[i] = weights[0] * left + weights[1] * a[i] + weights[2] * right;
}

// Pairs of neighbours are disjoint: those that start at even places, then those at odd ones.
__global__ void spread(int *z, int *changed, int n, int phase) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && z[i + 1] < z[i]) {
        z[i + 1] = z[i];
        atomicExch(changed, 1);
    }
}
