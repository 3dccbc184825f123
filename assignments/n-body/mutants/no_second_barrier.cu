// mutant: loads the next tile over the one that others still read | verdict: wrong | diagnostic: shared-memory race
__global__ void accelerations(const float4 *bodies, float3 *out, float softening, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += 128) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);  // <- here
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float4 other = tile[k];  // <- here
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float pull = other.w * r * r * r;
            sum.x += pull * dx; sum.y += pull * dy; sum.z += pull * dz;
        }
    }
    if (i < n) out[i] = sum;
}
