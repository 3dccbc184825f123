// Rung `global`: one thread per body, which reads all bodies from global memory and adds every term to its sum there.
// The compiler may not keep the sum in registers: as far as it knows, out and bodies could be the same memory.

__global__ void accelerations(const float4 *bodies, float3 *out, float softening, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; ++j) {
        const float dx = bodies[j].x - bodies[i].x;
        const float dy = bodies[j].y - bodies[i].y;
        const float dz = bodies[j].z - bodies[i].z;
        const float distance = sqrtf(dx * dx + dy * dy + dz * dz + softening);
        const float pull = bodies[j].w / (distance * distance * distance);
        out[i].x += pull * dx;
        out[i].y += pull * dy;
        out[i].z += pull * dz;
    }
}
