// mutant: axpy_double reads and writes behind the last number | verdict: crashed | diagnostic: out of bounds | beside: half_pairs
__global__ void axpy_double(double a, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i] + y[i];  // <- here
}
