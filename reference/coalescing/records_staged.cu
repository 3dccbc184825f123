// Rung `records_staged`: 64 records at a time pass through shared memory; still one thread per record.
//
// Straight from global memory, a warp's request touches 32 sectors for 32 floats, and every sector is written eight
// times over, a float at a time. Through shared memory each sector is read once and written once. A row of the tile
// has 33 words, so that the threads, each in its own row, are in 32 different banks. Two barriers limit it now, and
// that only a quarter of the threads are busy between them.

#define RECORDS 64
#define FIELDS 32
#define BLOCK 256

// launch: increment_records block=256 grid=ceil(n/64)
__global__ void increment_records(float *records, int n)
{
    __shared__ float tile[RECORDS][FIELDS + 1];

    const int t = threadIdx.x;
    const int first = blockIdx.x * RECORDS;
    for (int k = t; k < RECORDS * FIELDS; k += BLOCK) {
        if (first + k / FIELDS < n) {
            tile[k / FIELDS][k % FIELDS] = records[(size_t)first * FIELDS + k];
        }
    }
    __syncthreads();
    if (t < RECORDS && first + t < n) {
        for (int k = 0; k < FIELDS; ++k) {
            tile[t][k] += 1.0f;
        }
    }
    // What a thread writes back, others have incremented.
    __syncthreads();
    for (int k = t; k < RECORDS * FIELDS; k += BLOCK) {
        if (first + k / FIELDS < n) {
            records[(size_t)first * FIELDS + k] = tile[k / FIELDS][k % FIELDS];
        }
    }
}
