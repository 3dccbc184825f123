// One fault in the use of graphs in each case; a comment after two slashes and an arrow names the finding at its line.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

static const int N = 4096, BYTES = N * sizeof(float), BLOCKS = N / 256;

int main(int argc, char **argv)
{
    float *d, *e, *h;
    cudaStream_t s, t;
    cudaEvent_t a, b;
    cudaGraph_t graph, other;
    cudaGraphExec_t run;
    cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES), cudaMallocHost(&h, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s), cudaStreamCreate(&t), cudaEventCreate(&a), cudaEventCreate(&b);
    cudaDeviceSynchronize();
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamSynchronize(s);  //-> capture-forbids
        if (cudaStreamEndCapture(s, &graph) != cudaErrorStreamCaptureInvalidated || graph) return 3;
        break;
    case 2:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaDeviceSynchronize();  //-> capture-forbids
        cudaStreamEndCapture(s, &graph);
        break;
    case 3:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        float *more;
        if (cudaMalloc(&more, BYTES) != cudaErrorStreamCaptureUnsupported) return 3;  //-> capture-forbids
        cudaStreamEndCapture(s, &graph);
        break;
    case 4:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        twice<<<BLOCKS, 256>>>(d, N);  //-> capture-forbids-default-stream
        cudaStreamEndCapture(s, &graph);
        cudaGetLastError();
        break;
    case 5:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaEventRecord(a, s);
        cudaEventSynchronize(a);  //-> capture-has-event
        cudaStreamEndCapture(s, &graph);
        break;
    case 6:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(t, a, 0);
        twice<<<BLOCKS, 256, 0, t>>>(d, N);
        if (cudaStreamEndCapture(s, &graph) != cudaErrorStreamCaptureUnjoined) return 3;  //-> capture-unjoined
        break;
    case 7:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(t, a, 0);
        cudaStreamEndCapture(t, &graph);  //-> capture-ended-elsewhere
        cudaStreamEndCapture(s, &graph);
        break;
    case 8:
        cudaStreamEndCapture(s, &graph);  //-> capture-not-begun
        break;
    case 9:
        cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal);  //-> capture-of-default-stream
        break;
    case 10:
        cudaEventRecord(a, t);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaStreamWaitEvent(s, a, 0);  //-> capture-waits-outside
        cudaStreamEndCapture(s, &graph);
        break;
    case 11:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);  //-> capture-never-ended
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        break;
    case 12:  // two nodes that nothing orders
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(t, a, 0);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        twice<<<BLOCKS, 256, 0, t>>>(d, N);  //-> streams-write-both
        cudaEventRecord(b, t);
        cudaStreamWaitEvent(s, b, 0);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&run, graph, 0);
        cudaGraphLaunch(run, s);
        cudaDeviceSynchronize();
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph);
        break;
    case 13:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&run, graph, 0);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamEndCapture(s, &other);
        if (cudaGraphExecUpdate(run, other, nullptr) != cudaErrorGraphExecUpdateFailure) return 3;  //-> graph-differs
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph), cudaGraphDestroy(other);
        break;
    case 14: {
        cudaGraphNode_t one, two;
        cudaGraphCreate(&graph, 0);
        cudaGraphAddEmptyNode(&one, graph, nullptr, 0);
        cudaGraphAddEmptyNode(&two, graph, &one, 1);
        cudaGraphAddDependencies(graph, &two, &one, nullptr, 1);
        cudaGraphInstantiate(&run, graph, 0);  //-> graph-has-cycle
        break;
    }
    case 15:
        cudaGraphCreate(&graph, 0);
        cudaGraphDestroy(graph);
        cudaGraphInstantiate(&run, graph, 0);  //-> graph-unknown
        break;
    case 16:  // the launch of the graph is not waited for
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&run, graph, 0);
        cudaGraphLaunch(run, s);
        printf("%f\n", h[0]);  //-> host-reads-early
        cudaStreamSynchronize(s);
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph);
        break;
    case 17:  // a graph, and work beside it
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&run, graph, 0);
        cudaGraphLaunch(run, s);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, t);  //-> streams-write-then-read
        cudaDeviceSynchronize();
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph);
        break;
    case 18:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);  //-> captured-already
        cudaStreamEndCapture(s, &graph);
        break;
    case 19:
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(t, a, 0);  //-> captures-merge
        cudaStreamEndCapture(s, &graph), cudaStreamEndCapture(t, &other);
        break;
    }
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaEventDestroy(a), cudaEventDestroy(b);
    cudaFree(d), cudaFree(e), cudaFreeHost(h);
    return 0;
}
