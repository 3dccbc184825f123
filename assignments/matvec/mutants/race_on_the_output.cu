// mutant: the 32 threads of a row add to its output at once | verdict: wrong | diagnostic: global-memory race
// launch: matvec block=32 grid=rows
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x;
    float sum = 0.0f;
    for (int col = threadIdx.x; col < cols; col += 32)
        sum += a[row * cols + col] * x[col];
    if (threadIdx.x == 0)
        y[row] = 0.0f;
    __syncthreads();
    y[row] += sum;  // <- here
}
