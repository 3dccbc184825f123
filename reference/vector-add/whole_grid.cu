// Rung `whole_grid`: one thread for each element, as many blocks as that takes.
//
// The index counts the threads of all blocks before this one, then those of this one. The last block may reach beyond
// the end, hence the test. All multiprocessors take part, and there are always warps that can run while others wait
// for memory. Two loads and a store for one addition: memory is the limit, and how many bytes are on their way at once.

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
