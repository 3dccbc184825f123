// mutant: each lane of a vertex's warp takes one neighbour, so those after the 32nd are lost | verdict: wrong
// launch: expand block=256 grid=ceil(vertices/8)
__global__ void expand(const int *row_starts, const int *neighbours, int *distances, const int *queue, const int *length, int *next_queue, int *next_length, int level)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (i >= length[0]) return;
    int e = row_starts[queue[i]] + threadIdx.x % 32;
    if (e < row_starts[queue[i] + 1] && atomicCAS(&distances[neighbours[e]], -1, level + 1) == -1)
        next_queue[atomicAdd(next_length, 1)] = neighbours[e];
}
