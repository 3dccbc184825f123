// Rung `expert`: a thread adds up four elements, the sums of a warp are scanned by shuffles without a barrier, and
// those of the eight warps by each thread for itself. Two barriers are left of twenty.
//
// launch: scan_blocks block=256 grid=ceil(n/1024)
// launch: add_offsets block=256 grid=ceil(n/1024)

#define THREADS 256
#define PER_THREAD 4
#define SEGMENT (THREADS * PER_THREAD)
#define EVERYONE 0xffffffffu

__global__ void scan_blocks(const int *__restrict__ x, int *__restrict__ y, int *__restrict__ sums, int n)
{
    __shared__ int of_warp[THREADS / 32];

    const int me = threadIdx.x;
    const int lane = me % 32;
    const int first = blockIdx.x * SEGMENT + me * PER_THREAD;
    const bool whole = first + PER_THREAD <= n;
    int4 value = make_int4(0, 0, 0, 0);
    if (whole) {
        value = *reinterpret_cast<const int4 *>(x + first);
    } else if (first < n) {
        value.x = x[first];
        value.y = first + 1 < n ? x[first + 1] : 0;
        value.z = first + 2 < n ? x[first + 2] : 0;
    }
    const int sum = value.x + value.y + value.z + value.w;
    int up_to = sum;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(EVERYONE, up_to, distance);
        up_to += lane >= distance ? other : 0;
    }
    if (lane == 31) {
        of_warp[me / 32] = up_to;
    }
    __syncthreads();
    int before = up_to - sum;
#pragma unroll
    for (int w = 0; w < THREADS / 32 - 1; ++w) {
        before += w < me / 32 ? of_warp[w] : 0;
    }
    const int4 places = make_int4(before, before + value.x, before + value.x + value.y, before + sum - value.w);
    if (whole) {
        *reinterpret_cast<int4 *>(y + first) = places;
    } else if (first < n) {
        y[first] = places.x;
        if (first + 1 < n) {
            y[first + 1] = places.y;
        }
        if (first + 2 < n) {
            y[first + 2] = places.z;
        }
    }
    if (me == THREADS - 1) {
        sums[blockIdx.x] = before + sum;
    }
}

__global__ void add_offsets(int *__restrict__ y, const int *__restrict__ offsets, int n)
{
    const int offset = offsets[blockIdx.x];
    const int first = blockIdx.x * SEGMENT + threadIdx.x * PER_THREAD;
    if (first + PER_THREAD <= n) {
        int4 value = *reinterpret_cast<const int4 *>(y + first);
        value.x += offset;
        value.y += offset;
        value.z += offset;
        value.w += offset;
        *reinterpret_cast<int4 *>(y + first) = value;
    } else {
        for (int i = first; i < n; ++i) {
            y[i] += offset;
        }
    }
}
