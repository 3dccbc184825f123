// out = the elements of x above threshold, side by side from out[0] on, in any order; count[0] = how many they are.
// count[0] is zero at the start.

// Launched with blocks of 256 threads, one for each element.
__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    // Where does this thread's element go? Which other threads ask the same at the same time?
}
