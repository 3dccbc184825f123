// mutant: waits for a copy that it never asked for | verdict: timed out
#include <cuda_runtime.h>

int vector_add(const float *a, const float *b, float *c, int n)
{
    volatile float *last = c + n - 1;
    while (*last != a[n - 1] + b[n - 1]) {}
    return 0;
}
