// Grids that only a run of the host code knows.
#include <cstdio>
#include <cstdlib>
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

int main()
{
    int n = 1000, secret = 0;
    FILE *file = fopen("/etc/passwd", "r");
    fscanf(file, "%d", &secret);
    vector_add<<<system("touch /tmp/grader-was-here") + secret, 256>>>(0, 0, 0, n);
    vector_add<<<1e308 * 1e308 / (n - n), 1 << 999>>>(0, 0, 0, n);
}
