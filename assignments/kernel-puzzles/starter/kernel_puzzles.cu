// mapped = a + 10 for each of few elements. Launched with one block of exactly few threads.
__global__ void map_ten(const float *a, float *mapped)
{
}

// zipped = a + b for each of few elements. Launched with one block of exactly few threads.
__global__ void zip_add(const float *a, const float *b, float *zipped)
{
}

// guarded = 10 * a for each of few elements. Launched with one block of 64 threads: few is at most 64.
__global__ void guard(const float *a, float *guarded, int few)
{
}

// shifted = square + 10 for side x side elements. Launched with one block of 16 x 16 threads: side is at most 16.
__global__ void map_2d(const float *square, float *shifted, int side)
{
}

// table[i][j] = column[i] + row[j]. Launched with one block of 16 x 16 threads: side is at most 16.
__global__ void broadcast(const float *column, const float *row, float *table, int side)
{
}

// lifted = x + 10 for each of n elements. Launched with blocks of 32 threads, one for each element.
__global__ void blocks(const float *x, float *lifted, int n)
{
}

// Reverse each segment of 256 elements; the last may be shorter. Launched with a block of 256 threads for each.
__global__ void reverse_segments(const float *x, float *backwards, int n)
{
}

// pooled[i] = x[i] + x[i - 1] + x[i - 2], as far as they exist. Launched with blocks of 256 threads.
__global__ void pool(const float *x, float *pooled, int n)
{
}

// products[s] = sum of x * y over segment s of 256 elements. Launched with a block of 256 threads for each segment.
__global__ void dot(const float *x, const float *y, float *products, int n)
{
}

// convolved[i] = sum of weights[k] * x[i + k], as far as x goes. taps is at most 8. Blocks of 256 threads.
__global__ void convolve(const float *x, const float *weights, float *convolved, int n, int taps)
{
}

// sums[i] = sum of the segment of 256 elements up to and with x[i]. A block of 256 threads for each segment.
__global__ void prefix_sum(const float *x, float *sums, int n)
{
}

// row_sums[r] = sum of row r of left. Launched with a block of 128 threads for each row.
__global__ void axis_sum(const float *left, float *row_sums, int rows, int inner)
{
}

// product = left * right. Launched with blocks of 16 x 16 threads, one thread for each element of product.
__global__ void matmul(const float *left, const float *right, float *product, int rows, int inner, int cols)
{
}
