// counts[v] = how many of the n bytes of data have the value v. counts is zero at the start.

// Launched with blocks of 256 threads, one for each byte.
__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    // Which byte is this thread's? What happens when two threads count the same value at the same time?
}
