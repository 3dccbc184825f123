// So many reads of memory that nobody has written that there might be no room for the race that comes after them.
#define R1(i) (void)unset[i];
#define R10(i) R1(i) R1(i + 1) R1(i + 2) R1(i + 3) R1(i + 4) R1(i + 5) R1(i + 6) R1(i + 7) R1(i + 8) R1(i + 9)
#define R100(i) R10(i) R10(i + 10) R10(i + 20) R10(i + 30) R10(i + 40) R10(i + 50) R10(i + 60) R10(i + 70) R10(i + 80) R10(i + 90)

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ volatile float unset[300];
    __shared__ volatile int last;
    if (threadIdx.x == 0) {
        R100(0) R100(100) R100(200)
    }
    last = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
