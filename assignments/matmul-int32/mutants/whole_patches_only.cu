// mutant: a patch that sticks out of C is left out as a whole | verdict: wrong
// launch: matmul_int32 block=16,16 grid=ceil(n/64),ceil(m/64)
#define TILE_SIZE 4

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    int tile_row = (blockIdx.y * blockDim.y + threadIdx.y) * TILE_SIZE;
    int tile_col = (blockIdx.x * blockDim.x + threadIdx.x) * TILE_SIZE;
    if (tile_row + TILE_SIZE > m || tile_col + TILE_SIZE > n)
        return;
    int Csum[TILE_SIZE][TILE_SIZE] = {0};
    for (int e = 0; e < k; e++)
        for (int i = 0; i < TILE_SIZE; i++)
            for (int j = 0; j < TILE_SIZE; j++)
                Csum[i][j] += a[(tile_row + i) * k + e] * b[e * n + tile_col + j];
    for (int i = 0; i < TILE_SIZE; i++)
        for (int j = 0; j < TILE_SIZE; j++)
            c[(tile_row + i) * n + tile_col + j] = Csum[i][j];
}
