// Every operation is hidden behind macros and inline assembly; it still does not add.
#define J(x, y) x##y
#define K(x, y) J(x, y)

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned i, m = n;
    K(a, sm)("mad.lo.u32 %0, %1, %2, %3;" : "=r"(i) : "r"(blockIdx.x), "r"(blockDim.x), "r"(threadIdx.x));
    if (i < m) {
        float v;
        K(a, sm) volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(a + i));
        K(a, sm) volatile("st.global.f32 [%0], %1;" ::"l"(c + i), "f"(v));
    }
}
