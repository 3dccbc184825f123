// mutant: takes the next place without an atomic, so two threads get the same | verdict: wrong | diagnostic: global-memory race
__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > threshold) {
        int place = *count;  // <- here
        *count = place + 1;  // <- here
        out[place] = x[i];  // <- here
    }
}
