// mutant: asks and sets without an atomic, so that a neighbour of two vertices is found twice | verdict: crashed | diagnostic: global-memory race
__global__ void expand(const int *row_starts, const int *neighbours, int *distances, const int *queue, const int *length, int *next_queue, int *next_length, int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length[0]) return;
    for (int e = row_starts[queue[i]]; e < row_starts[queue[i] + 1]; e++)
        if (distances[neighbours[e]] == -1) {  // <- here
            distances[neighbours[e]] = level + 1;  // <- here
            next_queue[atomicAdd(next_length, 1)] = neighbours[e];  // <- here
        }
}
