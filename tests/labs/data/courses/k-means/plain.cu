__global__ void assign(const float2 *points, const float2 *centres, int *nearest, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int best = 0;
    float least = 1e30f;
    for (int c = 0; c < k; ++c) {
        float dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = c;
        }
    }
    nearest[i] = best;
}

__global__ void add_up(const float2 *points, const int *nearest, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *sum = sums + 3 * nearest[i];
    atomicAdd(sum, points[i].x);
    atomicAdd(sum + 1, points[i].y);
    atomicAdd(sum + 2, 1.0f);
}

__global__ void divide(const float *sums, float2 *moved, int k)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < k) {
        float count = fmaxf(sums[3 * c + 2], 1.0f);
        moved[c] = make_float2(sums[3 * c] / count, sums[3 * c + 1] / count);
    }
}
