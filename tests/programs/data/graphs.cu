// Correct programs with graphs. Each case prints 1 if its result is right.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void add_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
__global__ void scale(float *x, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
static void CUDART_CB count(void *calls) { ++*static_cast<int *>(calls); }

static const int N = 8192, BYTES = N * sizeof(float), BLOCKS = N / 256;
static int equal(const float *x, float value)
{
    for (int i = 0; i < N; i++) if (x[i] != value) return 0;
    return 1;
}

int main(int argc, char **argv)
{
    float *d, *h, own[N];
    int right = 0, calls = 0;
    cudaStream_t s, t;
    cudaEvent_t a, b;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaMalloc(&d, BYTES), cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s), cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking), cudaEventCreate(&a), cudaEventCreate(&b);
    for (int i = 0; i < N; i++) h[i] = own[i] = 1;
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: {  // a captured pipeline, launched three times
        cudaStreamCaptureStatus status;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, count, &calls);
        cudaStreamIsCapturing(s, &status);
        right = status == cudaStreamCaptureStatusActive && h[0] == 1;
        cudaStreamEndCapture(s, &graph);
        size_t nodes = 0, roots = 0, edges = 0;
        cudaGraphGetNodes(graph, nullptr, &nodes), cudaGraphGetRootNodes(graph, nullptr, &roots);
        cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
        right += nodes == 4 && roots == 1 && edges == 3;
        cudaGraphInstantiate(&run, graph, 0);
        cudaGraphDestroy(graph);
        for (int i = 0; i < 3; i++) cudaGraphLaunch(run, s);
        cudaStreamSynchronize(s);
        right += equal(h, 4) && calls == 3;
        cudaGraphExecDestroy(run);
        right = right == 3;
        break;
    }
    case 2:  // fork and join in a capture
        cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(t, a, 0);
        add_one<<<BLOCKS / 2, 256, 0, s>>>(d, N / 2);
        add_one<<<BLOCKS / 2, 256, 0, t>>>(d + N / 2, N / 2);
        cudaEventRecord(b, t);
        cudaStreamWaitEvent(s, b, 0);
        scale<<<BLOCKS, 256, 0, s>>>(d, 2, N);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&run, graph, 0);
        cudaGraphUpload(run, t);
        cudaGraphLaunch(run, t);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, t);
        cudaStreamSynchronize(t);
        right = equal(h, 6);
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph);
        break;
    case 3: {  // explicit nodes; pageable memory is read at each launch
        cudaGraphNode_t in, add, times, out, call;
        int n = N;
        float by = 3;
        void *one[] = {&d, &n}, *two[] = {&d, &by, &n};
        cudaKernelNodeParams first = {(void *)add_one, BLOCKS, 256, 0, one, nullptr}, second = {(void *)scale, BLOCKS, 256, 0, two, nullptr};
        cudaHostNodeParams host = {count, &calls};
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, d, own, BYTES, cudaMemcpyHostToDevice);
        cudaGraphAddKernelNode(&add, graph, &in, 1, &first);
        cudaGraphAddKernelNode(&times, graph, &add, 1, &second);
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(d, BYTES, N, 1), copy.dstPtr = make_cudaPitchedPtr(own, BYTES, N, 1);
        copy.extent = make_cudaExtent(BYTES, 1, 1), copy.kind = cudaMemcpyDeviceToHost;
        cudaGraphAddMemcpyNode(&out, graph, &times, 1, &copy);
        cudaGraphAddHostNode(&call, graph, &out, 1, &host);
        cudaGraphInstantiate(&run, graph, 0);
        cudaGraphLaunch(run, s), cudaGraphLaunch(run, s);
        cudaStreamSynchronize(s);
        right = equal(own, 21) && calls == 2;
        by = 0;
        cudaGraphExecKernelNodeSetParams(run, times, &second);
        cudaGraphLaunch(run, s), cudaStreamSynchronize(s);
        right += equal(own, 0);
        right = right == 2;
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph);
        break;
    }
    case 4: {  // a child graph, a memset, an empty node, and a later dependency
        cudaGraphNode_t zero, none, child;
        cudaGraph_t inner;
        cudaMemsetParams set = {d, 0, 0, 4, N, 1};
        cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamEndCapture(s, &inner);
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &set);
        cudaGraphAddEmptyNode(&none, graph, &zero, 1);
        cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, inner);
        cudaGraphAddDependencies(graph, &none, &child, nullptr, 1);
        cudaGraphNodeType type;
        cudaGraphNodeGetType(child, &type);
        cudaGraphInstantiateWithFlags(&run, graph, 0);
        cudaGraphLaunch(run, s);
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
        right = equal(h, 2) && type == cudaGraphNodeTypeGraph;
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph), cudaGraphDestroy(inner);
        break;
    }
    case 5: {  // the executable graph takes the parameters of a graph of the same shape
        cudaGraph_t newer;
        cudaGraphExecUpdateResultInfo info;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        scale<<<BLOCKS, 256, 0, s>>>(d, 2, N);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&run, graph, 0);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        scale<<<BLOCKS, 256, 0, s>>>(d, 5, N);
        cudaStreamEndCapture(s, &newer);
        cudaGraphLaunch(run, s);
        right = cudaGraphExecUpdate(run, newer, &info) == cudaSuccess && info.result == cudaGraphExecUpdateSuccess;
        cudaGraphLaunch(run, s);
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
        right += equal(h, 10);
        right = right == 2;
        cudaGraphExecDestroy(run), cudaGraphDestroy(graph), cudaGraphDestroy(newer);
        break;
    }
    case 6: {  // the program asks for errors, and goes on
        cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
        void *extra;
        right = cudaMalloc(&extra, 16) == cudaSuccess;
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaGraph_t clone;
        cudaStreamEndCapture(s, &graph);
        cudaGraphClone(&clone, graph);
        cudaGraphDestroy(graph);
        cudaGraphInstantiate(&run, clone, 0);
        cudaGraphLaunch(run, t);
        cudaGraphExecDestroy(run), cudaGraphDestroy(clone);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, t);
        cudaEventRecord(a, t), cudaEventSynchronize(a);
        right += equal(h, 2);
        right = right == 2;
        cudaFree(extra);
        break;
    }
    }
    printf("%d\n", right);
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaEventDestroy(a), cudaEventDestroy(b), cudaFree(d), cudaFreeHost(h);
    return 0;
}
