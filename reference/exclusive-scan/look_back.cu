// Rung `look_back`: one pass. A block takes the next segment by a ticket, so that the segments before it have been
// taken by blocks that run. It publishes its own sum, and one thread walks back: it adds the sums of the segments
// before it until it finds one that knows the sum of everything up to it. State and sum of a segment are one 64-bit
// number, so no thread can see one without the other.
//
// launch: scan_in_one_pass block=256 grid=ceil(n/1024)

#define THREADS 256
#define PER_THREAD 4
#define SEGMENT (THREADS * PER_THREAD)
#define OWN_SUM 1LL
#define WHOLE_SUM 2LL
#define EVERYONE 0xffffffffu

__device__ long long packed(long long status, int sum)
{
    return status << 32 | (unsigned int)sum;
}

__global__ void scan_in_one_pass(const int *x, int *y, long long *state, int n)
{
    __shared__ int of_warp[THREADS / 32];
    __shared__ int segment;
    __shared__ int before_segment;

    const int me = threadIdx.x;
    const int lane = me % 32;
    unsigned long long *words = reinterpret_cast<unsigned long long *>(state);
    if (me == 0) {
        segment = (int)atomicAdd(&words[0], 1ull);
    }
    __syncthreads();
    unsigned long long *mine = words + 1 + segment;
    const int first = segment * SEGMENT + me * PER_THREAD;

    int value[PER_THREAD];
    int sum = 0;
    for (int k = 0; k < PER_THREAD; ++k) {
        value[k] = first + k < n ? x[first + k] : 0;
        sum += value[k];
    }
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
    int total = 0;
    for (int w = 0; w < THREADS / 32; ++w) {
        before += w < me / 32 ? of_warp[w] : 0;
        total += of_warp[w];
    }
    if (me == 0) {
        atomicExch(mine, packed(segment == 0 ? WHOLE_SUM : OWN_SUM, total));
        int found = 0;
        for (int s = segment - 1; s >= 0;) {
            const unsigned long long word = atomicAdd(&words[1 + s], 0ull);
            if (word == 0) {
                continue;
            }
            found += (int)(unsigned int)word;
            s = word >> 32 == WHOLE_SUM ? -1 : s - 1;
        }
        if (segment > 0) {
            atomicExch(mine, packed(WHOLE_SUM, found + total));
        }
        before_segment = found;
    }
    __syncthreads();
    before += before_segment;
    for (int k = 0; k < PER_THREAD; ++k) {
        if (first + k < n) {
            y[first + k] = before;
        }
        before += value[k];
    }
}
