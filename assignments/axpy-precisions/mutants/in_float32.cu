// mutant: axpy_double computes in single precision | verdict: wrong | beside: half_pairs
__global__ void axpy_double(double a, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (float)a * (float)x[i] + (float)y[i];
}
