// mutant: no barrier before the points are written back | verdict: wrong | diagnostic: shared-memory race | beside: coalesced, records_staged
__global__ void increment_float3(float *points, int n)
{
    __shared__ float s[768];
    int t = threadIdx.x;
    int first = blockIdx.x * 768;
    for (int k = t; k < 768; k += 256)
        if (first + k < 3 * n)
            s[k] = points[first + k];
    __syncthreads();
    if (first / 3 + t < n) {
        s[3 * t] += 1;
        s[3 * t + 1] += 1;
        s[3 * t + 2] += 1;
    }
    for (int k = t; k < 768; k += 256)
        if (first + k < 3 * n)
            points[first + k] = s[k];  // <- here
}
