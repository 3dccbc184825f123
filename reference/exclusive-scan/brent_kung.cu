// Rung `brent_kung`: a tree of sums up to the root, and down again to what stands before each element: two thousand
// additions for a thousand elements. Half of the threads have nothing to do after each level, and a level's stride
// brings bank conflicts; one unused element after every 32 spreads them.
//
// launch: scan_blocks block=512 grid=ceil(n/1024)

#define SEGMENT 1024
#define AT(i) ((i) + (i) / 32)

__global__ void scan_blocks(const int *x, int *y, int *sums, int n)
{
    __shared__ int line[AT(SEGMENT)];

    const int me = threadIdx.x;
    const int first = blockIdx.x * SEGMENT;
    for (int k = me; k < SEGMENT; k += SEGMENT / 2) {
        line[AT(k)] = first + k < n ? x[first + k] : 0;
    }
    int stride = 1;
    for (int active = SEGMENT / 2; active > 0; active /= 2) {
        __syncthreads();
        if (me < active) {
            line[AT(stride * (2 * me + 2) - 1)] += line[AT(stride * (2 * me + 1) - 1)];
        }
        stride *= 2;
    }
    if (me == 0) {
        sums[blockIdx.x] = line[AT(SEGMENT - 1)];
        line[AT(SEGMENT - 1)] = 0;
    }
    for (int active = 1; active < SEGMENT; active *= 2) {
        stride /= 2;
        __syncthreads();
        if (me < active) {
            const int low = AT(stride * (2 * me + 1) - 1);
            const int high = AT(stride * (2 * me + 2) - 1);
            const int left = line[low];
            line[low] = line[high];
            line[high] += left;
        }
    }
    __syncthreads();
    for (int k = me; k < SEGMENT; k += SEGMENT / 2) {
        if (first + k < n) {
            y[first + k] = line[AT(k)];
        }
    }
}

__global__ void add_offsets(int *y, const int *offsets, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] += offsets[i / 1024];
    }
}
