// Rung `expert`: a window is a row of column sums. A block marches down 32 rows: each thread keeps the sum of the
// window's rows in its column, adds the row that comes in and takes away the row that leaves; then it adds up its
// neighbours' sums in shared memory.
//
// launch: blur block=128 grid=ceil(cols/112),ceil(rows/32)

#define THREADS 128
#define MOST 8
#define STRIP (THREADS - 2 * MOST)
#define ROWS 32

__global__ void blur(const unsigned char *__restrict__ picture, unsigned char *__restrict__ blurred,
                     int rows, int cols, int radius)
{
    __shared__ int sums[2][THREADS];

    const int me = threadIdx.x;
    const int col = blockIdx.x * STRIP + me - MOST;
    const bool there = col >= 0 && col < cols;
    const unsigned char *column = picture + (there ? col : 0);
    const int first = blockIdx.y * ROWS;
    const int last = min(rows, first + ROWS);
    const int wide = min(cols - 1, col + radius) - max(0, col - radius) + 1;

    int sum = 0;
    for (int r = max(0, first - radius); r < min(rows, first + radius); ++r) {
        sum += there ? column[r * cols] : 0;
    }
    for (int row = first; row < last; ++row) {
        if (there && row + radius < rows) {
            sum += column[(row + radius) * cols];
        }
        // Two lines take turns, so that one barrier for each row is enough.
        int *line = sums[row % 2];
        line[me] = sum;
        __syncthreads();
        if (there && me >= MOST && me < MOST + STRIP) {
            int total = 0;
            for (int j = me - radius; j <= me + radius; ++j) {
                total += line[j];
            }
            const int high = min(rows - 1, row + radius) - max(0, row - radius) + 1;
            blurred[row * cols + col] = total / (high * wide);
        }
        if (there && row - radius >= 0) {
            sum -= column[(row - radius) * cols];
        }
    }
}
