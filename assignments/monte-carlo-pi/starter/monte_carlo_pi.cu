// Thread t draws samples points (x, y) with 0 <= x, y < 1, and hits[t] is the number of those with x^2 + y^2 < 1. Write
// a generator of random numbers that starts from seeds[t]; seeds are different, and from 1 to 2^31 - 2.

// Launched with blocks of 128 threads, one for each seed.
__global__ void count_hits(const unsigned int *seeds, unsigned int *hits, int samples, int threads)
{
    // Where does the state of the generator live? Are the numbers of neighbouring threads independent?
}
