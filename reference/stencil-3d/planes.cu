// Rung `planes`: a thread marches through eight planes. The cells in front of and behind it are those that it has read
// already or will need next, so they wait in registers: five reads for each cell instead of seven, and two of them are
// of neighbours in the row, which the cache has.
//
// launch: step block=32,8 grid=ceil(cols/32),ceil(rows/8),ceil(depth/8)

#define PLANES 8

__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    const int plane = rows * cols;
    const int first = blockIdx.z * PLANES;
    const int last = min(depth, first + PLANES);
    int i = first * plane + row * cols + col;
    float here = old[i];
    float front = first > 0 ? old[i - plane] : here;
    for (int z = first; z < last; ++z, i += plane) {
        const float back = z < depth - 1 ? old[i + plane] : here;
        const float left = col > 0 ? old[i - 1] : here;
        const float right = col < cols - 1 ? old[i + 1] : here;
        const float up = row > 0 ? old[i - cols] : here;
        const float down = row < rows - 1 ? old[i + cols] : here;
        out[i] = here + alpha * (left + right + up + down + front + back - 6.0f * here);
        front = here;
        here = back;
    }
}
