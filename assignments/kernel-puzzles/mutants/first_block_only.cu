// mutant: blocks forgets the number of the block | verdict: wrong | beside: windows, expert
__global__ void blocks(const float *x, float *lifted, int n)
{
    if (threadIdx.x < n) lifted[threadIdx.x] = x[threadIdx.x] + 10.0f;
}

__global__ void map_ten(const float *a, float *mapped)
{
    mapped[threadIdx.x] = a[threadIdx.x] + 10.0f;
}

__global__ void zip_add(const float *a, const float *b, float *zipped)
{
    zipped[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void guard(const float *a, float *guarded, int few)
{
    int i = threadIdx.x;
    if (i < few) {
        guarded[i] = a[i] * 10.0f;
    }
}

__global__ void map_2d(const float *square, float *shifted, int side)
{
    int col = threadIdx.x;
    int row = threadIdx.y;
    if (row < side && col < side) {
        shifted[row * side + col] = square[row * side + col] + 10.0f;
    }
}

__global__ void broadcast(const float *column, const float *row, float *table, int side)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    if (y < side && x < side) {
        table[y * side + x] = column[y] + row[x];
    }
}
