// c[m] = a[m] * b[m] for each of batch matrices m of n rows and columns; n is at most 32.

// Launched with blocks of 256 threads, one for each element of all matrices together.
__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    // Which matrix, which row and which column does this thread compute?
}
