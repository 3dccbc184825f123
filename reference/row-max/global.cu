// Rung `global`: one thread looks through one row for its largest element.
//
// It begins with the row's first element, not with 0: in a row of negative numbers 0 would win without being there.
// The loads are what is slow. At every step the 32 threads of a warp read 32 different rows, so each load touches 32
// sectors of memory for 128 bytes that it needs; and a thousand rows are only a thousand threads.

__global__ void row_max_global(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }

    const float *elements = a + (size_t)row * cols;
    float largest = elements[0];
    for (int col = 1; col < cols; ++col) {
        largest = fmaxf(largest, elements[col]);
    }
    out[row] = largest;
}
