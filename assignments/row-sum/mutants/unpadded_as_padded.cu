// mutant: row_sum_shared_padded is submitted without its padding | verdict: accepted | diagnostic: bank conflict | part: technique | beside: global, shared
__global__ void row_sum_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.x * 32;
    float sum = 0.0f;
    for (int col0 = 0; col0 < cols; col0 += 32) {
        for (int i = ty; i < 32; i += 8)
            tile[i][tx] = (row0 + i < rows && col0 + tx < cols) ? a[(row0 + i) * cols + col0 + tx] : 0.0f;
        __syncthreads();
        for (int i = ty; i < 32; i += 8)
            sum += tile[tx][i];  // <- here
        __syncthreads();
    }
    tile[ty][tx] = sum;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < 8; i++)
            sum += tile[i][tx];
        out[row0 + tx] = sum;
    }
}
