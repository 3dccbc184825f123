// Rung `expert`: as `planes`, and a thread takes four rows, so that it has most of their neighbours above and below in
// registers, too: a cell takes three and a half reads, two of them of neighbours in the row, which the cache has.
//
// launch: step block=32,4 grid=ceil(cols/32),ceil(rows/16),ceil(depth/8)

#define PLANES 8
#define ROWS 4

__global__ void step(const float *__restrict__ old, float *__restrict__ out, float alpha, int depth, int rows, int cols)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int top = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (top >= rows || col >= cols) {
        return;
    }
    const int plane = rows * cols;
    const int first = blockIdx.z * PLANES;
    const int last = min(depth, first + PLANES);
    const int before = col > 0 ? -1 : 0;
    const int after = col < cols - 1 ? 1 : 0;
    // Rows behind the last one repeat it, and are not written.
    int place[ROWS];
    float front[ROWS];
    float here[ROWS];
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
        place[k] = min(top + k, rows - 1) * cols + col;
        here[k] = old[first * plane + place[k]];
        front[k] = first > 0 ? old[(first - 1) * plane + place[k]] : here[k];
    }
    const int above = top > 0 ? place[0] - cols : place[0];
    const int below = top + ROWS < rows ? place[ROWS - 1] + cols : place[ROWS - 1];
    for (int z = first; z < last; ++z) {
        const float *current = old + z * plane;
        const float *next = z < depth - 1 ? current + plane : current;
        float up = current[above];
        const float under = current[below];
        float back[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            back[k] = next[place[k]];
            const float down = k < ROWS - 1 ? here[k < ROWS - 1 ? k + 1 : k] : under;
            const float sum = current[place[k] + before] + current[place[k] + after] + up + down + front[k] + back[k];
            if (top + k < rows) {
                out[z * plane + place[k]] = here[k] + alpha * (sum - 6.0f * here[k]);
            }
            up = here[k];
        }
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            front[k] = here[k];
            here[k] = back[k];
        }
    }
}
