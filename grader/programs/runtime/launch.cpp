// Kernels and variables of the program: their registration, and launches.
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
struct Managed { void **host; std::string name; size_t size; };
struct Configuration { dim3 grid, block; size_t shared; cudaStream_t stream; void *site; };

std::map<const void *, Kernel> &kernels() { static std::map<const void *, Kernel> all; return all; }
std::map<const void *, Variable> &variables() { static std::map<const void *, Variable> all; return all; }
std::vector<Managed> &managed_variables() { static std::vector<Managed> all; return all; }
thread_local std::vector<Configuration> configurations;
}  // namespace

Kernel *kernel_of(const void *function) {
    auto found = kernels().find(function);
    return found == kernels().end() ? nullptr : &found->second;
}

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
    auto answer = ask(Call::Launch, {kernel.id, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, word(stream), cooperative, kernel.allowed_shared},
                      packed.data(), kernel.bytes);
    launch_site = nullptr;
    return result(answer);
}

cudaError_t symbol_address(void **address, const void *symbol) {
    auto found = variables().find(symbol);
    if (is_shared(symbol)) return *address = const_cast<void *>(symbol), cudaSuccess;  // a __managed__ variable
    if (found == variables().end()) return failed(cudaErrorInvalidSymbol);
    auto answer = ask(Call::Symbol, {}, found->second.name.data(), found->second.name.size());
    *address = reinterpret_cast<void *>(answer.values[0]);
    return result(answer);
}
}  // namespace grader

using namespace grader;

// What the compiler's generated code calls before main.
API void **__cudaRegisterFatBinary(void *) { static void *handle; return &handle; }
API void __cudaRegisterFatBinaryEnd(void **) {
    for (auto &each : managed_variables()) {
        auto answer = ask(Call::ManagedVariable, {each.size}, each.name.data(), each.name.size());
        if (!answer.error && map_shared(answer.values[0], answer.values[1], each.size)) *each.host = reinterpret_cast<void *>(answer.values[0]);
    }
    managed_variables().clear();
}
API void __cudaUnregisterFatBinary(void **) {}
API char __cudaInitModule(void **) { return 1; }
API void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *, dim3 *, int *) {
    auto &kernel = kernels()[host];
    kernel.name = name, kernel.allowed_shared = 0;
}
API void __cudaRegisterVar(void **, char *host, char *, const char *name, int, size_t size, int, int) { variables()[host] = {name, size}; }
API void __cudaRegisterManagedVar(void **, void **host, char *, const char *name, int, size_t size, int, int) {
    managed_variables().push_back({host, name, size});
}

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
