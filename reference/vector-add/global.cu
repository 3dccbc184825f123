// Rung `global`: a single block, as in the first kernel of the lectures.
// launch: vector_add block=256 grid=1
//
// There c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x] was all, so the vectors could not be longer than the block. Here
// its threads walk on, a block's width at a time, until the vectors end. Every access is coalesced, and yet it is slow:
// a block runs on one multiprocessor, and all the others have nothing to do.

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        c[i] = a[i] + b[i];
    }
}
