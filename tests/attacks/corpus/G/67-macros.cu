// Macros that grow tenfold at every step.
#define A0 0,0,0,0,0,0,0,0,0,0
#define A1 A0,A0,A0,A0,A0,A0,A0,A0,A0,A0
#define A2 A1,A1,A1,A1,A1,A1,A1,A1,A1,A1
#define A3 A2,A2,A2,A2,A2,A2,A2,A2,A2,A2
#define A4 A3,A3,A3,A3,A3,A3,A3,A3,A3,A3
#define A5 A4,A4,A4,A4,A4,A4,A4,A4,A4,A4
#define A6 A5,A5,A5,A5,A5,A5,A5,A5,A5,A5
#define A7 A6,A6,A6,A6,A6,A6,A6,A6,A6,A6
#define A8 A7,A7,A7,A7,A7,A7,A7,A7,A7,A7
#define A9 A8,A8,A8,A8,A8,A8,A8,A8,A8,A8

__device__ const int table[] = { A9 };

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
