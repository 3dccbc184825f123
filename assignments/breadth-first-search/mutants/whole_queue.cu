// mutant: takes the whole array for the queue, filled or not | verdict: wrong
__global__ void expand(const int *row_starts, const int *neighbours, int *distances, const int *queue, const int *length, int *next_queue, int *next_length, int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (level == 0 ? 1 : length[0] + 1)) return;
    int v = i < length[0] ? queue[i] : 0;
    for (int e = row_starts[v]; e < row_starts[v + 1]; e++)
        if (atomicCAS(&distances[neighbours[e]], -1, level + 1) == -1)
            next_queue[atomicAdd(next_length, 1)] = neighbours[e];
}
