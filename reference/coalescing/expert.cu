// Rung `expert`: whatever the floats are called, they lie in a row: 16 bytes a thread.
//
// Adding one does not ask which component a float is. So neither points nor records need a thread of their own, nor
// shared memory: neighbouring threads take neighbouring groups of four floats, with one load and one store each. A
// warp moves 512 bytes with one instruction. What is left is the time that memory takes to move the data twice.

static __device__ void increment_all(float *x, long long count)
{
    const long long group = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long first = 4 * group;
    if (first + 4 <= count) {
        float4 four = ((float4 *)x)[group];
        four.x += 1.0f;
        four.y += 1.0f;
        four.z += 1.0f;
        four.w += 1.0f;
        ((float4 *)x)[group] = four;
    } else {
        for (long long i = first; i < count; ++i) {
            x[i] += 1.0f;
        }
    }
}

// launch: increment block=256 grid=ceil(n/1024)
__global__ void increment(float *x, int n)
{
    increment_all(x, n);
}

// launch: increment_float3 block=256 grid=ceil(3*n/1024)
__global__ void increment_float3(float *points, int n)
{
    increment_all(points, 3LL * n);
}

// launch: increment_records block=256 grid=ceil(32*n/1024)
__global__ void increment_records(float *records, int n)
{
    increment_all(records, 32LL * n);
}
