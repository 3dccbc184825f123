// A constant that takes for ever to work out.
constexpr unsigned long long forever(unsigned long long n)
{
    unsigned long long sum = 0;
    for (unsigned long long i = 0; i < n; ++i) {
        for (unsigned long long j = 0; j < n; ++j) {
            sum += i ^ j;
        }
    }
    return sum;
}
__device__ constexpr unsigned long long bomb = forever(1ull << 40);

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
