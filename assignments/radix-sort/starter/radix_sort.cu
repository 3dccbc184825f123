// For shift = 0, 4, ... 28 the lab zeroes counts and launches the three kernels below. The y of one round is the x of the
// next.

// counts[d * blocks + s] is how many keys of segment s (1024 keys) have digit d, where blocks = ceil(n / 1024).
__global__ void count_digits(const unsigned int *x, int *counts, int shift, int n)
{
    // Launched with 256 threads for each segment. The digit of a key is (key >> shift) & 15.
}

// Replace each of the 16 * blocks counts by the sum of all before it.
__global__ void scan_counts(int *counts, int n)
{
    // Launched with one block of 1024 threads.
}

// counts[d * blocks + s] now is where the first key of segment s with digit d goes; the others follow in their order.
__global__ void scatter(const unsigned int *x, const int *counts, unsigned int *y, int shift, int n)
{
    // Launched with 256 threads for each segment.
}
