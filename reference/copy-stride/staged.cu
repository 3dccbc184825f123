// Rung `staged`: the source is read from the start of a sector on, and shifted in shared memory.
//
// This is what the lecture advises wherever global memory cannot be read in order. Each block reads its 256 floats and
// up to seven before them, so that every request begins where a sector begins, and each thread then takes its float
// from shared memory. The sector that the direct kernel touches too often was in the cache anyway: memory delivers the
// same bytes, and the barrier comes on top.

#define BLOCK 256
#define SECTOR 8

// launch: copy_offset block=256 grid=ceil(n/256)
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    __shared__ float tile[BLOCK + SECTOR];

    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    const int shift = offset % SECTOR;
    const size_t end = (size_t)offset + n;
    const size_t first = (size_t)blockIdx.x * BLOCK + offset - shift;
    for (int k = t; k < BLOCK + shift; k += BLOCK) {
        if (first + k < end) {
            tile[k] = x[first + k];
        }
    }
    __syncthreads();
    if (i < n) {
        shifted[i] = tile[t + shift];
    }
}
