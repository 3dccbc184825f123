// One step: out = old + alpha * (left + right + up + down + front + back - 6 * old), for each cell. A neighbour outside
// the box has the heat of the cell itself. The lab launches the kernel four times, and each launch reads what the one
// before has written.

// Launched with blocks of 32 x 8 threads, and a layer of blocks for each plane.
__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    // Which cell is this thread's? Which of its six neighbours exist?
}
