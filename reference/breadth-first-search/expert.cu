// Rung `expert`: as `warp`; and a block collects what it finds in shared memory, where additions are near, and asks for
// places in the queue once. What does not fit goes to the queue at once.
//
// launch: expand block=256 grid=min(ceil(vertices/8),1024)

#define ROOM 2048

__global__ void expand(const int *__restrict__ row_starts, const int *__restrict__ neighbours,
                       int *__restrict__ distances, const int *__restrict__ queue, const int *__restrict__ length,
                       int *__restrict__ next_queue, int *__restrict__ next_length, int level)
{
    __shared__ int found[ROOM];
    __shared__ int count;
    __shared__ int place;

    const int vertices = length[0];
    const int warps = gridDim.x * blockDim.x / 32;
    if (blockIdx.x * blockDim.x / 32 >= vertices) {
        return;  // a whole block
    }
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < vertices; i += warps) {
        const int vertex = queue[i];
        const int end = row_starts[vertex + 1];
        for (int edge = row_starts[vertex] + threadIdx.x % 32; edge < end; edge += 32) {
            const int neighbour = neighbours[edge];
            if (atomicCAS(&distances[neighbour], -1, level + 1) == -1) {
                const int at = atomicAdd(&count, 1);
                if (at < ROOM) {
                    found[at] = neighbour;
                } else {
                    next_queue[atomicAdd(next_length, 1)] = neighbour;
                }
            }
        }
    }
    __syncthreads();
    const int kept = min(count, ROOM);
    if (threadIdx.x == 0) {
        place = atomicAdd(next_length, kept);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < kept; k += blockDim.x) {
        next_queue[place + k] = found[k];
    }
}
