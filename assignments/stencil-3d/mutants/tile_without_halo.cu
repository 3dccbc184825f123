// mutant: a tile in shared memory without a halo: its edge takes the heat of the cell | verdict: wrong
__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    __shared__ float tile[8][32];
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.z;
    int col = blockIdx.x * 32 + x, row = blockIdx.y * 8 + y;
    int p = rows * cols, i = z * p + row * cols + col;
    bool there = row < rows && col < cols;
    tile[y][x] = there ? old[i] : 0.0f;
    __syncthreads();
    if (!there) return;
    float here = tile[y][x], sum = 0;
    sum += x > 0 ? tile[y][x - 1] : here;
    sum += x < 31 && col < cols - 1 ? tile[y][x + 1] : here;
    sum += y > 0 ? tile[y - 1][x] : here;
    sum += y < 7 && row < rows - 1 ? tile[y + 1][x] : here;
    sum += z > 0 ? old[i - p] : here;
    sum += z < depth - 1 ? old[i + p] : here;
    out[i] = here + alpha * (sum - 6 * here);
}
