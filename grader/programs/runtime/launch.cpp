// Kernels and variables of the program: their registration, launches, and what a launch can be asked about.
#include "errors.h"
#include "copy.h"
#include "launch.h"
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace grader {
namespace {
struct Variable { std::string name; size_t size; };
struct Configuration { dim3 grid, block; size_t shared; cudaStream_t stream; void *site; };

std::map<const void *, Kernel> &kernels() { static std::map<const void *, Kernel> all; return all; }
std::map<const void *, Variable> &variables() { static std::map<const void *, Variable> all; return all; }
thread_local std::vector<Configuration> configurations;

Kernel *kernel_of(const void *function) {
    auto found = kernels().find(function);
    return found == kernels().end() ? nullptr : &found->second;
}
}  // namespace

// Asks once where each parameter of the kernel lies.
cudaError_t resolve(Kernel &kernel) {
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    if (kernel.id) return cudaSuccess;
    std::vector<char> back;
    auto answer = ask(Call::Kernel, {kernel.unit}, kernel.name.data(), kernel.name.size(), &back);
    if (answer.error) return result(answer);
    kernel.id = answer.values[0], kernel.bytes = static_cast<uint32_t>(answer.values[1]);
    auto pair = reinterpret_cast<const uint32_t *>(back.data());
    for (size_t i = 0; i < back.size() / 8; i++) kernel.offsets.push_back(pair[2 * i]), kernel.sizes.push_back(pair[2 * i + 1]);
    return cudaSuccess;
}

cudaError_t launch(Kernel &kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream, bool cooperative) {
    if (auto error = resolve(kernel)) return error;
    std::vector<char> packed(kernel.bytes + 1);
    for (size_t i = 0; i < kernel.offsets.size(); i++) memcpy(packed.data() + kernel.offsets[i], arguments[i], kernel.sizes[i]);
    auto answer = ask(Call::Launch, {kernel.id, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, word(stream), cooperative},
                      packed.data(), kernel.bytes);
    launch_site = nullptr;
    return result(answer);
}

cudaError_t symbol_address(void **address, const void *symbol) {
    auto found = variables().find(symbol);
    if (found == variables().end()) return failed(cudaErrorInvalidSymbol);
    auto answer = ask(Call::Symbol, {}, found->second.name.data(), found->second.name.size());
    *address = reinterpret_cast<void *>(answer.values[0]);
    return result(answer);
}
}  // namespace grader

using namespace grader;

// What the compiler's generated code calls before main.
API void **__cudaRegisterFatBinary(void *) { static void *handle; return &handle; }
API void __cudaRegisterFatBinaryEnd(void **) {}
API void __cudaUnregisterFatBinary(void **) {}
API char __cudaInitModule(void **) { return 1; }
API void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *, dim3 *, int *) {
    kernels()[host].name = name;
}
API void __cudaRegisterVar(void **, char *host, char *, const char *name, int, size_t size, int, int) { variables()[host] = {name, size}; }

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
    configurations.push_back({grid, block, shared, static_cast<cudaStream_t>(stream), __builtin_return_address(0)});
    return 0;
}
API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    if (configurations.empty()) return cudaErrorInvalidConfiguration;
    auto top = configurations.back();
    configurations.pop_back();
    *grid = top.grid, *block = top.block, *shared = top.shared, *static_cast<cudaStream_t *>(stream) = top.stream;
    launch_site = top.site;
    return cudaSuccess;
}
API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    auto found = kernel_of(function);
    if (!found) return failed(cudaErrorInvalidDeviceFunction);
    *kernel = reinterpret_cast<cudaKernel_t>(found);
    return cudaSuccess;
}
API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream) {
    return launch(*reinterpret_cast<Kernel *>(kernel), grid, block, arguments, shared, stream, false);
}
API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream) {
    auto found = kernel_of(function);
    return found ? launch(*found, grid, block, arguments, shared, stream, false) : failed(cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream) {
    auto found = kernel_of(function);
    return found ? launch(*found, grid, block, arguments, shared, stream, true) : failed(cudaErrorInvalidDeviceFunction);
}

API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
    auto found = kernel_of(function);
    if (!found) return failed(cudaErrorInvalidDeviceFunction);
    if (auto error = resolve(*found)) return error;
    auto answer = ask(Call::Attributes, {found->id});
    *attributes = {};
    attributes->sharedSizeBytes = answer.values[0];
    attributes->maxThreadsPerBlock = static_cast<int>(answer.values[1]);
    attributes->numRegs = static_cast<int>(answer.values[2]);
    attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(answer.values[3]);
    return result(answer);
}
API cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute, int) {
    return kernel_of(function) ? cudaSuccess : failed(cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache) {
    return kernel_of(function) ? cudaSuccess : failed(cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads, size_t shared, unsigned) {
    auto found = kernel_of(function);
    if (!found) return failed(cudaErrorInvalidDeviceFunction);
    if (auto error = resolve(*found)) return error;
    auto answer = ask(Call::Occupancy, {found->id, static_cast<uint64_t>(threads), shared});
    *blocks = static_cast<int>(answer.values[0]);
    return result(answer);
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) { return symbol_address(address, symbol); }
API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
    auto found = variables().find(symbol);
    if (found == variables().end()) return failed(cudaErrorInvalidSymbol);
    *size = found->second.size;
    return cudaSuccess;
}
namespace {
cudaError_t to_symbol(const void *symbol, const void *source, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    void *address;
    if (auto error = symbol_address(&address, symbol)) return error;
    return copy({static_cast<char *>(address) + offset, source, size, 1, size, size, kind, stream, async});
}
cudaError_t from_symbol(void *target, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    void *address;
    if (auto error = symbol_address(&address, symbol)) return error;
    return copy({target, static_cast<char *>(address) + offset, size, 1, size, size, kind, stream, async});
}
}  // namespace
API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t size, size_t offset, cudaMemcpyKind kind) {
    return to_symbol(symbol, source, size, offset, kind, nullptr, false);
}
API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return to_symbol(symbol, source, size, offset, kind, stream, true);
}
API cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind) {
    return from_symbol(target, symbol, size, offset, kind, nullptr, false);
}
API cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return from_symbol(target, symbol, size, offset, kind, stream, true);
}
