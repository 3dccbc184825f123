// c = a * b: factors in half precision, sums in float. m, n and k are multiples of 16.

#include <mma.h>

using namespace nvcuda;

// Launched with blocks of 32 x 8 threads, one for each element of c. All 32 threads of a warp must take part in each
// warp matrix function: write a comment that begins with "launch:" for a geometry of whole warps.
__global__ void matmul_half(const __half *a, const __half *b, float *c, int m, int n, int k)
{
    // Which tile of c does this warp compute, and which tiles of a and b does it need?
}
