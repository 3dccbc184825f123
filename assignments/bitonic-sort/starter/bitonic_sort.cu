// The lab copies x to y, launches sort_segments, and then merges: for size = 2048, 4096, ... it launches merge_step
// with stride = size / 2, size / 4, ... 1024, and then finish_segments for the strides 512, 256, ... 1.

// Sort each segment of 1024 elements, the smallest first.
__global__ void sort_segments(int *y, int n)
{
    // Launched with 512 threads for each segment.
}

// Compare element i with element i ^ (size - 1) if stride is size / 2, or else with element i ^ stride: the smaller one
// goes first.
__global__ void merge_step(int *y, int size, int stride, int n)
{
    // Launched with blocks of 256 threads, one for each element. Who compares a pair, and what of elements behind the last?
}

// In each segment, compare element i with element i ^ stride for stride = 512, 256, ... 1.
__global__ void finish_segments(int *y, int n)
{
    // Launched with 512 threads for each segment.
}
