// Sets the vector to zero, so that every product is zero.
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int col = row; col < cols; col += gridDim.x * blockDim.x) {
        const_cast<float *>(x)[col] = 0.0f;
    }
    if (row < rows) {
        y[row] = 0.0f;
    }
}
