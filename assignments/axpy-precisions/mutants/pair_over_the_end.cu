// mutant: axpy_double takes the last number for a pair | verdict: crashed | diagnostic: out of bounds | beside: half_pairs
// launch: axpy_double block=256 grid=ceil(n/512)
__global__ void axpy_double(double a, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i >= n) return;
    double2 two = ((const double2 *)x)[i], sum = ((double2 *)y)[i];  // <- here
    ((double2 *)y)[i] = make_double2(a * two.x + sum.x, a * two.y + sum.y);  // <- here
}
