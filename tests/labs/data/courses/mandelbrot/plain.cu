__global__ void escape(int *steps, int rows, int cols, int most, double left, double top, double pitch)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    double x = left + pitch * col, y = top + pitch * row, re = 0, im = 0;
    int count = 0;
    while (count < most && re * re + im * im <= 4.0) {
        double next = re * re - im * im + x;
        im = 2 * re * im + y;
        re = next;
        ++count;
    }
    steps[row * cols + col] = count;
}
