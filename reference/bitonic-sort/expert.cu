// Rung `expert`: a thread keeps its element in a register. 40 of the 55 steps compare within a warp, and need no
// barrier.

#define SEGMENT 1024
#define EVERYONE 0xffffffffu

// A thread has one element; its partner in a step is the thread with the number that differs in the bits of mask.
// Partners of one warp exchange by shuffles; others through shared memory, in two arrays that take turns.
__device__ int exchange(int mine, int mask, int (*lines)[SEGMENT], int &turn)
{
    const int t = threadIdx.x;
    int other;
    if (mask < 32) {
        other = __shfl_xor_sync(EVERYONE, mine, mask);
    } else {
        turn ^= 1;
        lines[turn][t] = mine;
        __syncthreads();
        other = lines[turn][t ^ mask];
    }
    // The highest bit in which the two differ says who keeps the smaller element.
    return (t ^ mask) > t ? min(mine, other) : max(mine, other);
}

// launch: sort_segments block=1024 grid=ceil(n/1024)
__global__ void sort_segments(int *y, int n)
{
    __shared__ int lines[2][SEGMENT];

    const int i = blockIdx.x * SEGMENT + threadIdx.x;
    int mine = i < n ? y[i] : 0x7fffffff;
    int turn = 0;
#pragma unroll
    for (int size = 2; size <= SEGMENT; size *= 2) {
        mine = exchange(mine, size - 1, lines, turn);
#pragma unroll
        for (int stride = size / 4; stride > 0; stride /= 2) {
            mine = exchange(mine, stride, lines, turn);
        }
    }
    if (i < n) {
        y[i] = mine;
    }
}

// The first step of a merge compares mirror images, so that all comparisons put the smaller element first.
__global__ void merge_step(int *y, int size, int stride, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int other = stride == size / 2 ? i ^ (size - 1) : i ^ stride;
    if (other > i && other < n) {
        const int low = y[i];
        const int high = y[other];
        if (low > high) {
            y[i] = high;
            y[other] = low;
        }
    }
}

// launch: finish_segments block=1024 grid=ceil(n/1024)
__global__ void finish_segments(int *y, int n)
{
    __shared__ int lines[2][SEGMENT];

    const int i = blockIdx.x * SEGMENT + threadIdx.x;
    int mine = i < n ? y[i] : 0x7fffffff;
    int turn = 0;
#pragma unroll
    for (int stride = SEGMENT / 2; stride > 0; stride /= 2) {
        mine = exchange(mine, stride, lines, turn);
    }
    if (i < n) {
        y[i] = mine;
    }
}
