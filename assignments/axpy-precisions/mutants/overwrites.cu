// mutant: axpy_double forgets to add y | verdict: wrong | beside: half_pairs
__global__ void axpy_double(double a, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
