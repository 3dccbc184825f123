// Rung `double_pairs`: a load of 16 bytes has two doubles, so half as many requests move the same bytes.
//
// launch: axpy_double block=256 grid=ceil(n/512)

__global__ void axpy_double(double a, const double *__restrict__ x, double *__restrict__ y, int n)
{
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        const double2 two = *reinterpret_cast<const double2 *>(x + i);
        double2 sum = *reinterpret_cast<const double2 *>(y + i);
        sum.x = fma(a, two.x, sum.x);
        sum.y = fma(a, two.y, sum.y);
        *reinterpret_cast<double2 *>(y + i) = sum;
    } else if (i < n) {
        y[i] = fma(a, x[i], y[i]);
    }
}
