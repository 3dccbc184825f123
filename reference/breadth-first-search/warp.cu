// Rung `warp`: a warp takes a vertex, and its lanes take neighbours that lie side by side in memory.
//
// launch: expand block=256 grid=min(ceil(vertices/8),1024)

__global__ void expand(const int *row_starts, const int *neighbours, int *distances, const int *queue, const int *length, int *next_queue, int *next_length, int level)
{
    const int warps = gridDim.x * blockDim.x / 32;
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < length[0]; i += warps) {
        const int vertex = queue[i];
        const int end = row_starts[vertex + 1];
        for (int edge = row_starts[vertex] + threadIdx.x % 32; edge < end; edge += 32) {
            const int neighbour = neighbours[edge];
            if (atomicCAS(&distances[neighbour], -1, level + 1) == -1) {
                next_queue[atomicAdd(next_length, 1)] = neighbour;
            }
        }
    }
}
