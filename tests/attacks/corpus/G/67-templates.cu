// Templates that double at every step: the compiler would be at it for ever.
template <unsigned long long N, int D> struct Bomb {
    static const int value = Bomb<2 * N, D - 1>::value + Bomb<2 * N + 1, D - 1>::value;
};
template <unsigned long long N> struct Bomb<N, 0> {
    static const int value = 1;
};

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i] + Bomb<1, 40>::value;
    }
}
