// mutant: the thousand elements of the task, whatever n is | verdict: wrong | beside: shared, shared_padded
// launch: dot_product_global block=1 grid=1
__global__ void dot_product_global(const float *x, const float *y, float *out, float *work, int n)
{
    float s = 0;
    for (int i = 0; i < 1000 && i < n; i++)
        s += x[i] * y[i];
    out[0] = s;
}
