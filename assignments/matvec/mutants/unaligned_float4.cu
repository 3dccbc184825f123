// mutant: reads rows as float4 whether or not they begin on 16 bytes | verdict: crashed | diagnostic: misaligned access
// launch: matvec block=256 grid=ceil(rows/8)
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x & 31;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    const float *r = a + (size_t)row * cols;
    float sum = 0.0f;
    for (int i = lane; i < cols / 4; i += 32) {
        float4 p = ((const float4 *)r)[i];  // <- here
        float4 q = ((const float4 *)x)[i];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int c = cols / 4 * 4 + lane; c < cols; c += 32)
        sum += r[c] * x[c];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}
