// Rung `global`: a thread per row, a comparison per element.
//
// The search starts at +infinity, which every number undercuts. FLT_MIN would be wrong: it is the smallest *positive*
// float, not the smallest. Comparisons cost next to nothing here; a warp waits for 32 sectors at every load, one from
// each of its rows, and uses 4 of the 32 bytes of each before the cache may have lost the rest.

__global__ void row_min_global(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }

    float smallest = INFINITY;
    for (int col = 0; col < cols; ++col) {
        const float x = a[(size_t)row * cols + col];
        if (x < smallest) {
            smallest = x;
        }
    }
    out[row] = smallest;
}
