// mutant: takes the length as a size_t | verdict: failed to build
#include <cuda_runtime.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return 1;
}
