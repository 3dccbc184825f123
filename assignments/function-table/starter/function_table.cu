// Two tables of sin(sqrt(i * step[0])) for every i from 0 to n - 1.
//
// Launched with blocks of 256 threads, as many as cover n entries: the last block may have threads to spare.

// To within a few roundings. c holds -1/3!, 1/5!, -1/7!, 1/9!, -1/11!; constant memory may hold them, too.
__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    // Which entry is this thread's? Does it exist?
}

// Faster, with fewer digits.
__global__ void function_table_fast(const float *step, float *y_fast, int n)
{
}
