// mutant: compares with elements behind the last one | verdict: crashed | diagnostic: out of bounds
// The comparisons of one step among the elements of a segment; thread t has the t-th pair.
__device__ void compare(int *y, int first, int n, int size, int stride)
{
    const int t = threadIdx.x;
    const int low = first + 2 * stride * (t / stride) + t % stride;
    const int high = 2 * stride == size ? low + size - 1 - 2 * (t % stride) : low + stride;
    if (y[low] > y[high]) {  // <- here
        const int larger = y[low];  // <- here
        y[low] = y[high];  // <- here
        y[high] = larger;  // <- here
    }
    __syncthreads();
}

__global__ void sort_segments(int *y, int n)
{
    for (int size = 2; size <= 1024; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            compare(y, blockIdx.x * 1024, n, size, stride);
        }
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

__global__ void finish_segments(int *y, int n)
{
    for (int stride = 512; stride > 0; stride /= 2) {
        compare(y, blockIdx.x * 1024, n, 2048, stride);
    }
}
