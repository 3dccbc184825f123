// The sum of n values, once in int32 and once in float32.
//
// A launch leaves one value per block: the sum of that block's share. It is launched again on those values, until
// there is only one. Launched with blocks of 256 threads, one thread per value, unless you write a launch line.

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    // Which value is this thread's? Is there such a value at all?
    // Add up the block's share in a tree; a_sums[blockIdx.x] is the block's sum. Do not use atomic additions.
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    // The same in float32. A template may spare you writing it twice.
}
