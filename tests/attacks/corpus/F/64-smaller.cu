// Less is launched than the case asks for, and the kernel takes its size from the launch.
// launch: vector_add block=32 grid=1
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    n = n < 32 ? n : 32;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
