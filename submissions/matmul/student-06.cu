// launch: matmul block=16,16 grid=ceil(n/64),ceil(m/64)
//
// 64x64 tile of C per block, 4x4 outputs per thread, K in steps of 16.
// A is stored transposed so that the inner loop reads both tiles row-wise.

constexpr int BM = 64;
constexpr int BN = 64;
constexpr int BK = 16;

extern "C" __global__ void __launch_bounds__(256)
matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    __shared__ float As[BK][BM + 2];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int bm = blockIdx.y * BM;
    const int bn = blockIdx.x * BN;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            int e = tid + i * 256;
            int ar = e / BK, ac = e % BK;
            As[ac][ar] = (bm + ar < m && k0 + ac < k) ? a[(bm + ar) * k + k0 + ac] : 0.0f;
            int br = e / BN, bc = e % BN;
            Bs[br][bc] = (k0 + br < k && bn + bc < n) ? b[(k0 + br) * n + bn + bc] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; ++p) {
            float ra[4], rb[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                ra[i] = As[p][threadIdx.y + 16 * i];
                rb[i] = Bs[p][threadIdx.x + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] = fmaf(ra[i], rb[j], acc[i][j]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            int row = bm + threadIdx.y + 16 * i, col = bn + threadIdx.x + 16 * j;
            if (row < m && col < n)
                c[row * n + col] = acc[i][j];
        }
}
