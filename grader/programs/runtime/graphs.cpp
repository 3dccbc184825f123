// Graphs: capture of streams, explicit nodes, launches. A node's work is described by the call that would do it now: the
// device process keeps the work of the next call for the node.
#include "errors.h"
#include "graphs.h"
#include <atomic>
#include <cstring>
#include <unistd.h>

using namespace grader;

namespace {
// The order is that of the operations in grader/programs/calls/capture.py and graph.py.
enum CaptureOperation : uint64_t { BEGIN, END, STATUS };
enum GraphOperation : uint64_t {
    CREATE, DESTROY, CLONE, BEGIN_NODE, END_NODE, ADD_EMPTY, ADD_CHILD, ADD_EVENT, ADD_DEPENDENCIES, DESTROY_NODE, NODES, ROOTS, EDGES,
    NODE_KIND, INSTANTIATE, LAUNCH, UPDATE, ENABLE, DESTROY_EXECUTABLE,
};
std::atomic<int> recorders;

template <class T> T handle(const Answer &answer, int number = 0) { return reinterpret_cast<T>(answer.values[number]); }

template <class T> cudaError_t stored(const Answer &answer, T *target) {
    if (!answer.error && target) *target = handle<T>(answer);
    return result(answer);
}

Answer about(GraphOperation operation, std::initializer_list<uint64_t> arguments, const cudaGraphNode_t *nodes = nullptr, size_t count = 0,
             std::vector<char> *back = nullptr) {
    uint64_t all[4] = {};
    std::copy(arguments.begin(), arguments.end(), all);
    return ask(Call::Graph, {operation, all[0], all[1], all[2], all[3]}, nodes, count * sizeof *nodes, back);
}

// Makes or changes a node: what `describe` calls is kept for it.
template <class F> cudaError_t node(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                    cudaGraphNode_t changed, cudaGraphExec_t executable, F describe) {
    Held held;
    auto begun = about(BEGIN_NODE, {word(graph), word(changed), word(executable)}, after, count);
    if (begun.error) return result(begun);
    recorders++;
    auto error = describe();
    recorders--;
    auto ended = about(END_NODE, {});
    return error ? error : stored(ended, made);
}
template <class F> cudaError_t add(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, F describe) {
    return node(made, graph, after, count, nullptr, nullptr, describe);
}
template <class F> cudaError_t change(cudaGraphExec_t executable, cudaGraphNode_t changed, F describe) {
    return node(static_cast<cudaGraphNode_t *>(nullptr), nullptr, nullptr, 0, changed, executable, describe);
}

template <class P> auto launched(const P *params) {
    return [=] { return cudaLaunchKernel(reinterpret_cast<const void *>(params->func), params->gridDim, params->blockDim, params->kernelParams,
                                         params->sharedMemBytes, nullptr); };
}
auto copied(const cudaMemcpy3DParms *params) { return [=] { return cudaMemcpy3DAsync(params, nullptr); }; }
auto copied(void *target, const void *source, size_t count, cudaMemcpyKind kind) {
    return [=] { return cudaMemcpyAsync(target, source, count, kind, nullptr); };
}
template <class P> auto filled(const P *params) {
    unsigned value = params->value, size = params->elementSize, low = value & 255;
    for (unsigned byte = 1; byte < size; byte++)
        if ((value >> 8 * byte & 255) != low) { ask(Call::Refused, {}, "a graph's memset of a pattern", 29); _exit(95); }
    return [=] { return cudaMemset2DAsync(params->dst, params->height > 1 ? params->pitch : params->width * size, low, params->width * size,
                                          params->height, nullptr); };
}
template <class P> auto called(const P *params) { return [=] { return cudaLaunchHostFunc(nullptr, params->fn, params->userData); }; }

// Fills an array of the program, as the calls that list nodes do: without an array they only count.
cudaError_t listed(GraphOperation operation, cudaGraph_t graph, size_t *count, std::initializer_list<cudaGraphNode_t *> targets) {
    std::vector<char> back;
    auto answer = about(operation, {word(graph)}, nullptr, 0, &back);
    if (answer.error) return result(answer);
    size_t width = targets.size(), rows = answer.values[0] / width, wanted = *count;
    auto found = reinterpret_cast<cudaGraphNode_t *>(back.data());
    size_t column = 0;
    bool is_filled = false;
    for (auto target : targets) {
        for (size_t row = 0; target && row < std::min(rows, wanted); row++) target[row] = found[row * width + column];
        is_filled |= target != nullptr;
        column++;
    }
    *count = is_filled ? std::min(rows, wanted) : rows;
    return cudaSuccess;
}
}  // namespace

bool grader::may_record() { return recorders > 0; }

API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *,
                                              size_t count, cudaStreamCaptureMode mode) {
    auto answer = ask(Call::Capture, {BEGIN, word(stream), static_cast<uint64_t>(mode), word(graph)}, after, count * sizeof *after);
    if (!answer.error) recorders++;
    return result(answer);
}
API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, mode);
}
API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    auto answer = ask(Call::Capture, {END, word(stream)});
    if (answer.error != cudaErrorIllegalState && answer.error != cudaErrorStreamCaptureUnmatched) recorders--;
    if (graph) *graph = answer.error ? nullptr : handle<cudaGraph_t>(answer);
    return result(answer);
}
API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    auto answer = ask(Call::Capture, {STATUS, word(stream)});
    *status = static_cast<cudaStreamCaptureStatus>(answer.values[0]);
    return result(answer);
}
API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
                                         const cudaGraphNode_t **after, const cudaGraphEdgeData **, size_t *count) {
    if (after || count) { ask(Call::Refused, {}, "cudaStreamGetCaptureInfo of dependencies", 40); _exit(95); }
    auto answer = ask(Call::Capture, {STATUS, word(stream)});
    *status = static_cast<cudaStreamCaptureStatus>(answer.values[0]);
    if (id) *id = answer.values[1];
    if (graph) *graph = handle<cudaGraph_t>(answer, 2);
    return result(answer);
}

API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) { return stored(about(CREATE, {}), graph); }
API cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return result(about(DESTROY, {word(graph)})); }
API cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) { return stored(about(CLONE, {word(graph)}), clone); }
API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                       const cudaKernelNodeParams *params) {
    return add(made, graph, after, count, launched(params));
}
API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                       const cudaMemcpy3DParms *params) {
    return add(made, graph, after, count, copied(params));
}
API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, void *target,
                                         const void *source, size_t size, cudaMemcpyKind kind) {
    return add(made, graph, after, count, copied(target, source, size, kind));
}
API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                               const void *symbol, const void *source, size_t size, size_t offset, cudaMemcpyKind kind) {
    return add(made, graph, after, count, [=] { return cudaMemcpyToSymbolAsync(symbol, source, size, offset, kind, nullptr); });
}
API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, void *target,
                                                 const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind) {
    return add(made, graph, after, count, [=] { return cudaMemcpyFromSymbolAsync(target, symbol, size, offset, kind, nullptr); });
}
API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                       const cudaMemsetParams *params) {
    return add(made, graph, after, count, filled(params));
}
API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                     const cudaHostNodeParams *params) {
    return add(made, graph, after, count, called(params));
}
API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count) {
    return stored(about(ADD_EMPTY, {word(graph)}, after, count), made);
}
API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, cudaGraph_t child) {
    return stored(about(ADD_CHILD, {word(graph), word(child)}, after, count), made);
}
API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, cudaEvent_t event) {
    return stored(about(ADD_EVENT, {word(graph), word(event), true}, after, count), made);
}
API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, cudaEvent_t event) {
    return stored(about(ADD_EVENT, {word(graph), word(event), false}, after, count), made);
}
API cudaError_t cudaGraphAddNode(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *, size_t count,
                                 cudaGraphNodeParams *params) {
    switch (params->type) {
        case cudaGraphNodeTypeKernel: return add(made, graph, after, count, launched(&params->kernel));
        case cudaGraphNodeTypeMemcpy: return add(made, graph, after, count, copied(&params->memcpy.copyParams));
        case cudaGraphNodeTypeMemset: return add(made, graph, after, count, filled(&params->memset));
        case cudaGraphNodeTypeHost: return add(made, graph, after, count, called(&params->host));
        case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(made, graph, after, count, params->graph.graph);
        case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(made, graph, after, count);
        case cudaGraphNodeTypeEventRecord: return cudaGraphAddEventRecordNode(made, graph, after, count, params->eventRecord.event);
        case cudaGraphNodeTypeWaitEvent: return cudaGraphAddEventWaitNode(made, graph, after, count, params->eventWait.event);
        default: ask(Call::Refused, {}, "cudaGraphAddNode of this type", 29); _exit(95);
    }
}
namespace {
cudaError_t edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count, bool removes) {
    std::vector<cudaGraphNode_t> ends;
    for (size_t i = 0; i < count; i++) ends.push_back(from[i]), ends.push_back(to[i]);
    return result(about(ADD_DEPENDENCIES, {word(graph), removes}, ends.data(), ends.size()));
}
}  // namespace
API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *,
                                         size_t count) {
    return edges(graph, from, to, count, false);
}
API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *,
                                            size_t count) {
    return edges(graph, from, to, count, true);
}
API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) { return result(about(DESTROY_NODE, {word(node)})); }
API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) { return listed(NODES, graph, count, {nodes}); }
API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) { return listed(ROOTS, graph, count, {nodes}); }
API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data, size_t *count) {
    if (data) memset(data, 0, *count * sizeof *data);
    return listed(EDGES, graph, count, {from, to});
}
API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
    auto answer = about(NODE_KIND, {word(node)});
    *type = static_cast<cudaGraphNodeType>(answer.values[0]);
    return result(answer);
}
API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *params) { return change(nullptr, node, launched(params)); }
API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *params) { return change(nullptr, node, copied(params)); }
API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *target, const void *source, size_t size, cudaMemcpyKind kind) {
    return change(nullptr, node, copied(target, source, size, kind));
}
API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *params) { return change(nullptr, node, filled(params)); }
API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *params) { return change(nullptr, node, called(params)); }

API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long) {
    return stored(about(INSTANTIATE, {word(graph)}), executable);
}
API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(executable, graph, flags);
}
API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaKernelNodeParams *params) {
    return change(executable, node, launched(params));
}
API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemcpy3DParms *params) {
    return change(executable, node, copied(params));
}
API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void *target, const void *source, size_t size,
                                                   cudaMemcpyKind kind) {
    return change(executable, node, copied(target, source, size, kind));
}
API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemsetParams *params) {
    return change(executable, node, filled(params));
}
API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const cudaHostNodeParams *params) {
    return change(executable, node, called(params));
}
API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned enabled) {
    return result(about(ENABLE, {word(executable), word(node), enabled}));
}
API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
    auto answer = about(UPDATE, {word(executable), word(graph)});
    if (info) {
        *info = {};
        info->result = answer.error ? cudaGraphExecUpdateErrorTopologyChanged : cudaGraphExecUpdateSuccess;
        info->errorNode = handle<cudaGraphNode_t>(answer);
    }
    return result(answer);
}
API cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) { return result(about(LAUNCH, {word(executable), word(stream)})); }
API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return result(about(DESTROY_EXECUTABLE, {word(executable)})); }
