// Rung `global`: one thread per vertex of the queue. A vertex with many neighbours keeps one lane busy, while 31 wait.

__global__ void expand(const int *row_starts, const int *neighbours, int *distances, const int *queue, const int *length, int *next_queue, int *next_length, int level)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length[0]) {
        return;
    }
    const int vertex = queue[i];
    for (int edge = row_starts[vertex]; edge < row_starts[vertex + 1]; ++edge) {
        const int neighbour = neighbours[edge];
        if (atomicCAS(&distances[neighbour], -1, level + 1) == -1) {
            next_queue[atomicAdd(next_length, 1)] = neighbour;
        }
    }
}
