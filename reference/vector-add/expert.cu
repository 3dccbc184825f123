// Rung `expert`: four neighbours per thread, in loads and stores of 16 bytes.
// launch: vector_add block=256 grid=ceil(n/1024)
//
// Memory delivers the same bytes as before, but a thread has 32 of them on their way at once instead of 8, and a quarter
// as many blocks have to be started. Buffers start at multiples of 256 bytes, so every quad is aligned. Where n is no
// multiple of four, the thread after the last quad adds the one to three elements that are left.

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int quad = blockIdx.x * blockDim.x + threadIdx.x;
    if (quad < n / 4) {
        const float4 x = reinterpret_cast<const float4 *>(a)[quad];
        const float4 y = reinterpret_cast<const float4 *>(b)[quad];
        reinterpret_cast<float4 *>(c)[quad] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    } else if (quad == n / 4) {
        for (int i = 4 * quad; i < n; ++i) {
            c[i] = a[i] + b[i];
        }
    }
}
