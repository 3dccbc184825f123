// Add one to every float, in place: x[i] += 1. Three kernels; all are launched with 256 threads per block.
//
// Which thread has which float is yours to choose. Get every size right first; then look at the sectors per request.

// n floats. Launched with one thread per float.
__global__ void increment(float *x, int n)
{
    // Which floats are this thread's? Are there such floats at all?
}

// n points of three floats, one point after the other. Launched with one thread per point.
__global__ void increment_float3(float *points, int n)
{
    // Need a thread have a whole point?
}

// n records of 32 floats, one record after the other. Launched with one thread per record.
__global__ void increment_records(float *records, int n)
{
    // How far apart are the floats that a warp reads at the same moment?
}
