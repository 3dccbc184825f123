// mutant: adds on the host | verdict: wrong
#include <cuda_runtime.h>

int vector_add(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
    return 0;
}
