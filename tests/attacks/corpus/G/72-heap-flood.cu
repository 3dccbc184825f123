// Every thread takes memory on the device and gives none back.
#include <stdlib.h>

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (int k = 0; k < 1000000; ++k) {
        int *p = (int *)malloc(1 << 20);
        if (p != nullptr) {
            p[0] = k;
        }
    }
}
