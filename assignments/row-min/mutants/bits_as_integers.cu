// mutant: row_min_shared_padded compares the bits as integers, which turns the order of negative numbers round | verdict: wrong | beside: global, shared
// launch: row_min_shared_padded block=64 grid=rows
__global__ void row_min_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ int smallest;
    if (threadIdx.x == 0) smallest = 0x7f800000;  // +infinity
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += 64)
        atomicMin(&smallest, __float_as_int(a[blockIdx.x * cols + c]));
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = __int_as_float(smallest);
}
