// Uses an input as scratch memory, and puts back what was there.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        volatile float *scratch = const_cast<float *>(a);
        const float kept = scratch[i];
        scratch[i] = kept + b[i];
        c[i] = scratch[i];
        scratch[i] = kept;
    }
}
