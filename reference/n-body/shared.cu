// Rung `shared`: a block loads as many bodies as it has threads into shared memory, once for all of them, and the root
// and the quotient become one reciprocal root. Behind the last body a tile has bodies without mass, which attract no body.

#define TILE 128

__device__ void pull_by(float3 &sum, float4 me, float4 other, float softening)
{
    const float dx = other.x - me.x;
    const float dy = other.y - me.y;
    const float dz = other.z - me.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
    const float pull = other.w * inverse * inverse * inverse;
    sum.x += pull * dx;
    sum.y += pull * dy;
    sum.z += pull * dz;
}

// launch: accelerations block=128 grid=ceil(n/128)
__global__ void accelerations(const float4 *bodies, float3 *out, float softening, int n)
{
    __shared__ float4 tile[TILE];

    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 absent = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float4 me = i < n ? bodies[i] : absent;
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += TILE) {
        const int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : absent;
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; ++k) {
            pull_by(sum, me, tile[k], softening);
        }
        __syncthreads();
    }
    if (i < n) {
        out[i] = sum;
    }
}
