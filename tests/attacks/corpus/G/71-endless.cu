// A loop that does not end.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    volatile float *out = c;
    while (true) {
        out[0] = a[0];
    }
}
