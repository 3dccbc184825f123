// mutant: reads a neighbour's cell of the tile before it is there | verdict: wrong | diagnostic: shared-memory race
__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    __shared__ float tile[8][32];
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.z;
    int col = blockIdx.x * 32 + x, row = blockIdx.y * 8 + y;
    int p = rows * cols, i = z * p + row * cols + col;
    bool there = row < rows && col < cols;
    tile[y][x] = there ? old[i] : 0.0f;  // <- here
    if (!there) return;
    float here = old[i], sum = 0;
    sum += col == 0 ? here : x > 0 ? old[i - 1] : old[i - 1];
    sum += col == cols - 1 ? here : old[i + 1];
    sum += row == 0 ? here : y > 0 ? tile[y - 1][x] : old[i - cols];  // <- here
    sum += row == rows - 1 ? here : y < 7 ? tile[y + 1][x] : old[i + cols];  // <- here
    sum += z > 0 ? old[i - p] : here;
    sum += z < depth - 1 ? old[i + p] : here;
    out[i] = here + alpha * (sum - 6 * here);
}
