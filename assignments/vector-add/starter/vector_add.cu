// c[i] = a[i] + b[i] for every i from 0 to n - 1.
//
// Launched with blocks of 256 threads, as many as cover n elements: the last block may have threads to spare.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // Which element is this thread's? Does it exist?
}
