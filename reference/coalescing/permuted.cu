// Rung `permuted`: each warp has 32 neighbouring floats, aligned, but its threads have them in a shuffled order.
//
// A request of a warp is made up of the sectors that it touches, no matter which lane asks for which word: four, as in
// order. On the G80 the threads had to be in order, or each had a transaction of its own.

__global__ void increment(float *x, int n)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int warp = thread & ~31;
    // 5 is odd, so 32 threads get 32 different elements of their warp's.
    const int i = warp + (5 * thread & 31);
    // The guard is on the element: a thread beyond n may well have one below it.
    if (i < n) {
        x[i] += 1.0f;
    }
}
