// mutant: the last tile is read to its end, whatever it has | verdict: crashed | diagnostic: out of bounds
__global__ void accelerations(const float4 *bodies, float3 *out, float softening, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += 128) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];  // <- here
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float pull = tile[k].w * r * r * r;
            sum.x += pull * dx; sum.y += pull * dy; sum.z += pull * dz;
        }
        __syncthreads();
    }
    if (i < n) out[i] = sum;
}
