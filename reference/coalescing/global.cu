// Rung `global`: as a loop on a CPU would be split among threads.
//
// `increment` gives each thread eight neighbouring floats, the other two kernels one point or one record. A thread's
// own accesses are neighbours, but those that a warp makes in the same moment are not: they are 32, 12 and 128 bytes
// apart. A float that lies alone in its sector of 32 bytes costs as much to move as all eight. Only float3 is close
// enough together not to suffer: the cache keeps the sectors until all three components have been read.

#define CHUNK 8
#define FIELDS 32

// launch: increment block=256 grid=ceil(n/2048)
__global__ void increment(float *x, int n)
{
    const long long first = (long long)CHUNK * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = 0; k < CHUNK; ++k) {
        if (first + k < n) {
            x[first + k] += 1.0f;
        }
    }
}

__global__ void increment_float3(float *points, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float3 *vectors = (float3 *)points;
        float3 point = vectors[i];
        point.x += 1.0f;
        point.y += 1.0f;
        point.z += 1.0f;
        vectors[i] = point;
    }
}

__global__ void increment_records(float *records, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int k = 0; k < FIELDS; ++k) {
            records[(size_t)i * FIELDS + k] += 1.0f;
        }
    }
}
