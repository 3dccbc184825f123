// mutant: n floats of the points are incremented, not n points | verdict: wrong | beside: coalesced, records_staged
__global__ void increment_float3(float *points, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        points[i] += 1.0f;
}
