// out[i] = the sum over all j of  m_j * (p_j - p_i) / (|p_j - p_i|^2 + softening)^(3/2),  where bodies[j] holds p_j in
// x, y, z and m_j in w.

// Launched with blocks of 128 threads, one for each body.
__global__ void accelerations(const float4 *bodies, float3 *out, float softening, int n)
{
    // Which body is this thread's? How often is every body read, and by how many threads at once?
}
