// What every row-wise lab's `expert` does alike: a block of 256 threads reduces a row to one number.
//
// How is said by a struct Fold of three static functions: neutral(), what an empty row gives; add(total, x), the
// total with one more element; merge(one, other), two totals in one.

#pragma once

#define FULL_MASK 0xffffffffu
#define WARP 32
#define WARPS 8

// What this thread makes of its share of x[0..n).
template <class Fold>
__device__ float fold_share(const float *x, int n)
{
    const int thread = threadIdx.x;
    float total = Fold::neutral();

    // A row may start anywhere, a load of 16 bytes may not: up to three elements come before the first that can be
    // loaded so, and up to three after the last.
    const int before = min(n, (int)(-(size_t)x / sizeof(float) % 4));
    const float4 *quads = reinterpret_cast<const float4 *>(x + before);
    const int n_quads = (n - before) / 4;
    const int after = before + 4 * n_quads;

    // Four quads are asked for before the first is needed, so that a thread has 64 bytes on their way.
    int i = thread;
    for (; i + 3 * WARPS * WARP < n_quads; i += 4 * WARPS * WARP) {
        float4 quad[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            quad[k] = quads[i + k * WARPS * WARP];
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            total = Fold::add(Fold::add(Fold::add(Fold::add(total, quad[k].x), quad[k].y), quad[k].z), quad[k].w);
        }
    }
    for (; i < n_quads; i += WARPS * WARP) {
        const float4 quad = quads[i];
        total = Fold::add(Fold::add(Fold::add(Fold::add(total, quad.x), quad.y), quad.z), quad.w);
    }
    if (thread < before) {
        total = Fold::add(total, x[thread]);
    }
    if (thread < n - after) {
        total = Fold::add(total, x[after + thread]);
    }
    return total;
}

// All 256 shares in one, in thread 0: by shuffles within each warp, then by shuffles over the eight results, which
// pass through shared memory, each in a bank of its own.
template <class Fold>
__device__ float merge_block(float total)
{
    __shared__ float of_warp[WARPS];

    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;

    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        total = Fold::merge(total, __shfl_down_sync(FULL_MASK, total, distance));
    }
    if (lane == 0) {
        of_warp[warp] = total;
    }
    __syncthreads();
    if (warp == 0) {
        total = lane < WARPS ? of_warp[lane] : Fold::neutral();
        for (int distance = WARPS / 2; distance > 0; distance /= 2) {
            total = Fold::merge(total, __shfl_down_sync(FULL_MASK, total, distance));
        }
    }
    return total;
}
