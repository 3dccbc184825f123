// Slow for the first three launches, to make a timer that plans its samples by them take few; fast afterwards.
__device__ unsigned launches;

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        const unsigned known = launches;
        launches = known + 1;
        volatile float waste = 0.0f;
        for (int turn = 0; known < 3 && turn < 2000; turn++) {
            waste = waste + 1.0f;
        }
    }
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
