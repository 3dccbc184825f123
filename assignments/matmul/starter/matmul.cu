// C = A·B in float32, row-major: A is m x k, B is k x n, C is m x n.
//
// Begin with one thread per element of C, and get every size right first. Then load TILE x TILE tiles of A
// and B into shared memory and let the whole block use them.
//
// Launched with blocks of 16 x 16 threads, as many as cover C. For other blocks say so in a comment of its
// own line, as the handout shows ("Your own launch geometry").

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    // Which element of C is this thread's? Is there such an element at all?
}
