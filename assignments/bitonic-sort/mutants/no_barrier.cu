// mutant: no barrier between steps | verdict: wrong | diagnostic: shared-memory race
#define SEGMENT 1024

__device__ void compare(int *line, int size, int stride)
{
    const int t = threadIdx.x;
    const int low = 2 * stride * (t / stride) + t % stride;
    const int high = 2 * stride == size ? low + size - 1 - 2 * (t % stride) : low + stride;
    if (line[low] > line[high]) {  // <- here
        const int larger = line[low];
        line[low] = line[high];  // <- here
        line[high] = larger;  // <- here
    }
}

// What stands behind the last element is larger than any other, so it stays there.
__device__ void load(int *line, const int *y, int n)
{
    for (int k = threadIdx.x; k < SEGMENT; k += SEGMENT / 2) {
        const int i = blockIdx.x * SEGMENT + k;
        line[k] = i < n ? y[i] : 0x7fffffff;
    }
    __syncthreads();
}

__device__ void store(const int *line, int *y, int n)
{
    for (int k = threadIdx.x; k < SEGMENT; k += SEGMENT / 2) {
        const int i = blockIdx.x * SEGMENT + k;
        if (i < n) {
            y[i] = line[k];
        }
    }
}

__global__ void sort_segments(int *y, int n)
{
    __shared__ int line[SEGMENT];

    load(line, y, n);
    for (int size = 2; size <= SEGMENT; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            compare(line, size, stride);
        }
    }
    store(line, y, n);
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

__global__ void finish_segments(int *y, int n)
{
    __shared__ int line[SEGMENT];

    load(line, y, n);
    for (int stride = SEGMENT / 2; stride > 0; stride /= 2) {
        compare(line, 2 * SEGMENT, stride);
    }
    store(line, y, n);
}
