// Two copies of n floats. Launched with blocks of 256 threads, one thread per element.
//
// Get every offset, stride and n right first; then draw the curves with `grader sweep` and explain their shape.

// shifted[i] = x[i + offset] for 0 <= i < n
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    // Which element is this thread's? Is there such an element at all?
}

// gathered[i] = x[i * stride] for 0 <= i < n
__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    // i * stride may be more than an int can hold.
}
