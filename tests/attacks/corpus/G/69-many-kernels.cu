// A hundred thousand kernels, by macros.
#define J(x, y) x##y
#define N(x, y) J(x, y)
#define K1(x) __global__ void N(k, x)(float *y) { y[0] = 1.0f; }
#define K10(x) K1(N(x, 0)) K1(N(x, 1)) K1(N(x, 2)) K1(N(x, 3)) K1(N(x, 4)) K1(N(x, 5)) K1(N(x, 6)) K1(N(x, 7)) K1(N(x, 8)) K1(N(x, 9))
#define K100(x) K10(N(x, 0)) K10(N(x, 1)) K10(N(x, 2)) K10(N(x, 3)) K10(N(x, 4)) K10(N(x, 5)) K10(N(x, 6)) K10(N(x, 7)) K10(N(x, 8)) K10(N(x, 9))
#define K1000(x) K100(N(x, 0)) K100(N(x, 1)) K100(N(x, 2)) K100(N(x, 3)) K100(N(x, 4)) K100(N(x, 5)) K100(N(x, 6)) K100(N(x, 7)) K100(N(x, 8)) K100(N(x, 9))
#define K10000(x) K1000(N(x, 0)) K1000(N(x, 1)) K1000(N(x, 2)) K1000(N(x, 3)) K1000(N(x, 4)) K1000(N(x, 5)) K1000(N(x, 6)) K1000(N(x, 7)) K1000(N(x, 8)) K1000(N(x, 9))
K10000(1) K10000(2) K10000(3) K10000(4) K10000(5) K10000(6) K10000(7) K10000(8) K10000(9) K10000(10)

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
