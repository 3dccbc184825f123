// mutant: sets distances and appends nothing, so the search ends after one level | verdict: wrong
__global__ void expand(const int *row_starts, const int *neighbours, int *distances, const int *queue, const int *length, int *next_queue, int *next_length, int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length[0]) return;
    for (int e = row_starts[queue[i]]; e < row_starts[queue[i] + 1]; e++)
        atomicCAS(&distances[neighbours[e]], -1, level + 1);
}
