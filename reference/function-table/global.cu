// Rung `global`: a series for the sine with its five coefficients in global memory.
//
// The argument is brought to -pi/2..pi/2 by taking off a whole number of half turns. Pi is subtracted in two
// parts, by fused multiply-adds: one float has too few of its digits for thousands of half turns. Then sin r
// = r + r^3 (c0 + r^2 (c1 + ...)), and an odd number of half turns changes the sign.
//
// All threads of a warp read the same coefficient, which is one sector and nearly always in the cache. Still
// it is an instruction for the load/store unit, and the compiler must keep it: it cannot know what the array
// holds.

__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float a = sqrtf(i * step[0]);
    const float half_turns = rintf(a * 0.318309886f);
    float r = fmaf(half_turns, -3.14159274f, a);
    r = fmaf(half_turns, 8.74227766e-8f, r);
    const float s = r * r;
    float series = c[4];
    for (int k = 3; k >= 0; --k) {
        series = fmaf(series, s, c[k]);
    }
    const float sine = fmaf(r * s, series, r);
    y[i] = static_cast<int>(half_turns) & 1 ? -sine : sine;
}
