// Every thread prints for as long as it is let.
#include <stdio.h>

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (int k = 0; k < 1000000; ++k) {
        printf("%d: all work and no play makes a grader slow, all work and no play makes a grader slow\n", k);
    }
}
