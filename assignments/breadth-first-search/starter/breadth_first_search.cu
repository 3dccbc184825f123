// queue holds the length[0] vertices at distance level. For each neighbour of one of them that has no distance yet, -1,
// set its distance to level + 1 and append it to next_queue. next_length[0] is zero at the start. The neighbours of
// vertex v are neighbours[row_starts[v]] up to but without neighbours[row_starts[v + 1]].

// Launched with blocks of 256 threads, one for each vertex that could be in the queue.
__global__ void expand(const int *row_starts, const int *neighbours, int *distances, const int *queue, const int *length, int *next_queue, int *next_length, int level)
{
    // What if two vertices of the queue have the same neighbour?
}
