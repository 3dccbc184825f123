// Straight from row to column, one element per thread. READS_SCATTERED turns the block round: the writes are coalesced
// and the reads scattered.

#ifndef READS_SCATTERED
#define READS_SCATTERED 0
#endif

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    const int along_x = blockIdx.x * blockDim.x + threadIdx.x;
    const int along_y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = READS_SCATTERED ? along_x : along_y;
    const int col = READS_SCATTERED ? along_y : along_x;
    if (row < rows && col < cols) {
        b[(size_t)col * rows + row] = a[(size_t)row * cols + col];
    }
}
