// Rung `intrinsic`: the sine of the special function unit.
//
// __sinf is two instructions: the argument becomes a part of a turn, and a small table in hardware does the
// rest. It has an absolute error of about 2^-21 near zero, where sinf would be right in every digit but the
// last, and it loses a bit each time the argument doubles. So its table is compared within a bound of its
// own. Neither a series nor a reduction is left; what limits it is the store of 4 bytes.

__global__ void function_table_fast(const float *step, float *y_fast, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y_fast[i] = __sinf(sqrtf(i * step[0]));
    }
}
