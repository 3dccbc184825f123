// mutant: sums too large for an int are clamped instead of wrapped | verdict: wrong
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        long long sum = 0;
        for (int i = 0; i < k; i++)
            sum += (long long)a[row * k + i] * b[i * n + col];
        if (sum > INT_MAX)
            sum = INT_MAX;  // <- here
        if (sum < INT_MIN)
            sum = INT_MIN;  // <- here
        c[row * n + col] = (int)sum;
    }
}
