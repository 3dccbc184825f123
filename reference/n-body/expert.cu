// Rung `expert`: a thread has two bodies, so each load from shared memory serves two pairs; and eight threads share
// these two, each with an eighth of every tile, so that a few thousand bodies are work for the whole device. Their sums
// meet in shared memory at the end.
//
// launch: accelerations block=256 grid=ceil(n/64)

#define LANES 32
#define PARTS 8
#define TILE (LANES * PARTS)

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

__global__ void accelerations(const float4 *__restrict__ bodies, float3 *__restrict__ out, float softening, int n)
{
    __shared__ float4 tile[TILE];
    __shared__ float sums[PARTS][6][LANES];

    const int lane = threadIdx.x % LANES;
    const int part = threadIdx.x / LANES;
    const int i = blockIdx.x * 2 * LANES + lane;
    const float4 absent = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float4 one = i < n ? bodies[i] : absent;
    const float4 two = i + LANES < n ? bodies[i + LANES] : absent;
    float3 of_one = make_float3(0.0f, 0.0f, 0.0f);
    float3 of_two = make_float3(0.0f, 0.0f, 0.0f);
    float4 next = threadIdx.x < n ? bodies[threadIdx.x] : absent;
    for (int first = 0; first < n; first += TILE) {
        tile[threadIdx.x] = next;
        __syncthreads();
        // The next tile is on its way while this one is used.
        const int j = first + TILE + threadIdx.x;
        next = j < n ? bodies[j] : absent;
#pragma unroll
        for (int k = 0; k < LANES; ++k) {
            const float4 other = tile[part * LANES + k];
            pull_by(of_one, one, other, softening);
            pull_by(of_two, two, other, softening);
        }
        __syncthreads();
    }
    const float mine[6] = {of_one.x, of_one.y, of_one.z, of_two.x, of_two.y, of_two.z};
    for (int c = 0; c < 6; ++c) {
        sums[part][c][lane] = mine[c];
    }
    __syncthreads();
    // 192 numbers are the answer of the block: a thread adds up the eight parts of one.
    const int which = threadIdx.x / LANES;
    const int body = i + (which >= 3 ? LANES : 0);
    if (which < 6 && body < n) {
        float sum = 0.0f;
        for (int p = 0; p < PARTS; ++p) {
            sum += sums[p][which][lane];
        }
        reinterpret_cast<float *>(out)[3 * body + which % 3] = sum;
    }
}
