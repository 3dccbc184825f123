// Calls of the runtime about devices, functions, pools, streams and limits; each case prints what the test knows.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

void calls_runtime(void *) {
    cudaDeviceSynchronize();  //-> forbidden
}
#include <condition_variable>
#include <mutex>
#include <thrust/device_vector.h>
std::mutex mutex;
std::condition_variable changed;
bool is_called;
void signals(void *) {
    std::lock_guard<std::mutex> guard(mutex);
    is_called = true;
    changed.notify_one();
}
__global__ void large(float *x) {
    extern __shared__ float shared[];
    shared[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = 2 * shared[threadIdx.x];
}
__global__ void together(int *x) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    if (grid.thread_rank() == 0) x[0] = 7;
    grid.sync();
    x[1 + blockIdx.x] = x[0];
}
__global__ void prints(int lines) {
    for (int i = 0; i < lines; i++) printf("%07d\n", i);
}
__global__ void adds(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
__managed__ int shared_by_both = 5, many[3] = {1, 2, 3};
__global__ void changes_managed() { shared_by_both *= 2, many[2] += shared_by_both; }
__device__ int of_the_device;

int main(int, char **arguments) {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    switch (atoi(arguments[1])) {
    case 1: {  // properties and attributes agree, and both are those of the imitated device
        int value;
        cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
        printf("%s %d.%d %d %d %zu ", device.name, device.major, device.minor, device.multiProcessorCount, value, device.sharedMemPerBlock);
        cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture3DDepth, 0);
        printf("%d %d %zu %zu ", value, device.maxTexture3D[2], device.textureAlignment, device.texturePitchAlignment);
        printf("%d ", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
        cudaGetLastError();
        char bus[16];
        int found = -1;
        cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaDeviceGetByPCIBusId(&found, bus);
        printf("%d", found);
        break;
    }
    case 2: {  // more dynamic shared memory than the usual 48 KiB needs a word before
        float *x;
        cudaMalloc(&x, 128), cudaMemset(x, 0, 128);
        large<<<1, 32, 100 << 10>>>(x);  //-> not allowed
        printf("%s ", cudaGetErrorName(cudaGetLastError()));
        printf("%s ", cudaGetErrorName(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20)));
        cudaGetLastError();
        cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
        cudaFuncAttributes about;
        cudaFuncGetAttributes(&about, large);
        large<<<1, 32, 100 << 10>>>(x);
        printf("%d %s", about.maxDynamicSharedSizeBytes, cudaGetErrorName(cudaDeviceSynchronize()));
        cudaFree(x);
        break;
    }
    case 3: {  // cooperative launches: one that fits, by either function, and one that does not
        int *x, back[5];
        cudaMalloc(&x, sizeof back);
        void *given[] = {&x};
        cudaLaunchCooperativeKernel(together, dim3(4), dim3(32), given, 0, nullptr);
        cudaLaunchConfig_t how{};
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeCooperative, attribute.val.cooperative = 1;
        how.gridDim = dim3(4), how.blockDim = dim3(32), how.attrs = &attribute, how.numAttrs = 1;
        cudaLaunchKernelEx(&how, together, x);
        cudaMemcpy(back, x, sizeof back, cudaMemcpyDeviceToHost);
        printf("%d %d ", back[1], back[4]);
        printf("%s", cudaGetErrorName(cudaLaunchCooperativeKernel(together, dim3(1 << 20), dim3(32), given, 0, nullptr)));  //-> too large
        cudaFree(x);
        break;
    }
    case 4: {  // a pool: its sizes, and memory in the order of a stream
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        cudaMemPool_t pool, own;
        cudaDeviceGetDefaultMemPool(&pool, 0);
        unsigned long long threshold = ~0ull, used = 0, reserved = 0, most = 0;
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
        int *x, *back;
        cudaMallocHost(&back, 400);
        cudaMallocAsync(&x, 400, stream);
        cudaMemsetAsync(x, 0, 400, stream);
        adds<<<1, 128, 0, stream>>>(x, 100);
        cudaMemcpyAsync(back, x, 400, cudaMemcpyDeviceToHost, stream);
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
        cudaFreeAsync(x, stream);
        cudaStreamSynchronize(stream);
        printf("%d %llu ", back[99], used);
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most);
        printf("%llu %llu %llu ", used, reserved, most);
        cudaMemPoolTrimTo(pool, 0);
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
        cudaMemPoolProps wanted{};
        wanted.allocType = cudaMemAllocationTypePinned, wanted.location.type = cudaMemLocationTypeDevice;
        cudaMemPoolCreate(&own, &wanted);
        cudaMallocFromPoolAsync(&x, 64, own, stream);
        cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used);
        cudaFree(x);
        printf("%llu %llu %d", reserved, used, cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
        cudaMemPoolDestroy(own), cudaStreamDestroy(stream), cudaFreeHost(back);
        break;
    }
    case 5: {  // a kernel gets memory that its stream has released before
        int *x;
        cudaMallocAsync(&x, 400, nullptr), cudaFreeAsync(x, nullptr);
        adds<<<1, 128>>>(x, 100);  //-> freed
        cudaDeviceSynchronize();
        break;
    }
    case 6: {  // what pointers point to
        int *on_device, *pinned, *managed, local;
        cudaMalloc(&on_device, 64), cudaMallocHost(&pinned, 64), cudaMallocManaged(&managed, 64);
        cudaPointerAttributes about;
        for (void *each : {(void *)(on_device + 3), (void *)pinned, (void *)(managed + 1), (void *)&local}) {
            cudaPointerGetAttributes(&about, each);
            printf("%d%d%d ", about.type, about.devicePointer == each, about.hostPointer == each);
        }
        void *symbol;
        cudaGetSymbolAddress(&symbol, of_the_device), cudaPointerGetAttributes(&about, symbol);
        cudaMemLocation here{cudaMemLocationTypeDevice, 0};
        printf("%d %d %d", about.type, cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, here), cudaMemPrefetchAsync(on_device, 64, here, 0, nullptr));
        cudaFree(on_device), cudaFreeHost(pinned), cudaFree(managed);
        break;
    }
    case 7: {  // the buffer of printf loses the oldest lines
        cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 80);
        size_t limit;
        cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);
        printf("%zu\n", limit);
        prints<<<1, 1>>>(100);  //-> lost
        cudaDeviceSynchronize();
        break;
    }
    case 8: {  // 160 kB fit into the usual buffer
        prints<<<1, 1>>>(20000);
        cudaDeviceSynchronize();
        break;
    }
    case 9: {  // streams
        cudaStream_t a, b;
        cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, -99), cudaStreamCreate(&b);
        int priority;
        unsigned flags;
        cudaStreamGetPriority(a, &priority), cudaStreamGetFlags(a, &flags);
        cudaStreamAttrValue window{}, back{};
        window.accessPolicyWindow.hitRatio = 0.5f;
        cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &window);
        cudaStreamCopyAttributes(b, a), cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &back);
        cudaStreamDestroy(a), cudaStreamDestroy(b);
        printf("%d %u %g %d", priority, flags, back.accessPolicyWindow.hitRatio, cudaStreamGetFlags(a, &flags) == cudaErrorInvalidResourceHandle);
        cudaGetLastError();
        break;
    }
    case 10: {
        cudaLaunchHostFunc(nullptr, calls_runtime, nullptr);
        printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
        break;
    }
    case 11: {  // occupancy
        int blocks;
        size_t fits;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, adds, 1024, 0);
        cudaOccupancyAvailableDynamicSMemPerBlock(&fits, adds, 2, 1024);
        int with, without;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&with, adds, 1024, fits);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&without, adds, 1024, fits + 1024);
        printf("%d %d %d %d", blocks, with, without, fits > 100000);
        break;
    }
    case 12: {  // variables that both use by name
        shared_by_both++;
        changes_managed<<<1, 1>>>();
        cudaDeviceSynchronize();
        printf("%d %d ", shared_by_both, many[2]);
        adds<<<1, 32>>>(many, 3);
        cudaDeviceSynchronize();
        printf("%d %d", many[0], many[2]);
        break;
    }
    case 14: {  // a host function for which the program waits without a call
        cudaLaunchHostFunc(nullptr, signals, nullptr);
        std::unique_lock<std::mutex> guard(mutex);
        changed.wait(guard, [] { return is_called; });
        printf("called");
        break;
    }
    case 15: {  // Thrust copies pageable memory
        std::vector<int> host(100, 3);
        thrust::device_vector<int> device(host.begin(), host.end());
        device = host;
        printf("%d", int(device[99]));
        break;
    }
    case 16: {  // memory of any place and size is registered: on the stack, and several pieces of one page
        int own[5000], *alias;
        struct { int first[8], second[8]; } pair = {};
        for (int &each : own) each = 1;
        cudaHostRegister(own, sizeof own, cudaHostRegisterMapped);
        cudaHostRegister(pair.first, sizeof pair.first, 0);
        cudaHostRegister(pair.second, sizeof pair.second, 0);
        int again = cudaHostRegister(&pair.first[7], 4, 0), unknown = cudaHostUnregister(&own[1]);
        cudaGetLastError();
        cudaHostGetDevicePointer(&alias, own, 0);
        adds<<<1, 32>>>(alias, 3);
        cudaDeviceSynchronize();
        cudaMemcpy(pair.second, own, sizeof pair.second, cudaMemcpyHostToHost);
        int undone = cudaHostUnregister(pair.first) + cudaHostUnregister(own) + cudaHostUnregister(pair.second);
        printf("%d %d %d %d %d %d", own[0], own[4999], pair.second[0], again, unknown, undone);
        break;
    }
    case 13: {
        changes_managed<<<1, 1>>>();
        printf("%d", shared_by_both);  //-> early
        cudaDeviceSynchronize();
        break;
    }
    }
    return 0;
}
