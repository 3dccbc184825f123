// Rung `maps`: loops over the elements, with the threads that there are: right for any block and grid. Blocks of 256
// threads need fewer launches of blocks than those of 32.
//
// launch: blocks block=256 grid=ceil(n/256)

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
    for (int i = threadIdx.x; i < few; i += blockDim.x) {
        guarded[i] = a[i] * 10.0f;
    }
}

__global__ void map_2d(const float *square, float *shifted, int side)
{
    for (int row = threadIdx.y; row < side; row += blockDim.y) {
        for (int col = threadIdx.x; col < side; col += blockDim.x) {
            shifted[row * side + col] = square[row * side + col] + 10.0f;
        }
    }
}

__global__ void broadcast(const float *column, const float *row, float *table, int side)
{
    for (int y = threadIdx.y; y < side; y += blockDim.y) {
        for (int x = threadIdx.x; x < side; x += blockDim.x) {
            table[y * side + x] = column[y] + row[x];
        }
    }
}

__global__ void blocks(const float *x, float *lifted, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        lifted[i] = x[i] + 10.0f;
    }
}
