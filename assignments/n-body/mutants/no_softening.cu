// mutant: leaves out the softening, so a body divides by its distance to itself | verdict: wrong
__global__ void accelerations(const float4 *bodies, float3 *out, float softening, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = bodies[i];
    float3 sum = make_float3(0, 0, 0);
    for (int j = 0; j < n; j++) {
        float dx = bodies[j].x - me.x, dy = bodies[j].y - me.y, dz = bodies[j].z - me.z;
        float r = sqrtf(dx * dx + dy * dy + dz * dz);
        float pull = bodies[j].w / (r * r * r);
        sum.x += pull * dx; sum.y += pull * dy; sum.z += pull * dz;
    }
    out[i] = sum;
}
