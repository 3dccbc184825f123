// Modules of PTX that the program loads, their kernels and variables.
#include "driver.h"
#include "launch.h"
#include <cstring>
#include <deque>

using namespace grader;

namespace {
struct Loaded { uint64_t unit; std::deque<Kernel> kernels; };
Kernel *kernel(CUfunction function) { return reinterpret_cast<Kernel *>(function); }
Kernel *kernel(CUkernel function) { return reinterpret_cast<Kernel *>(function); }

CUresult load(Loaded **made, const void *image) {
    auto text = static_cast<const char *>(image);
    if (!memcmp(text, "\177ELF", 4)) return CUDA_ERROR_NO_BINARY_FOR_GPU;  // machine code
    size_t size = strlen(text);
    if (size > STAGE_BYTES) return CUDA_ERROR_INVALID_PTX;
    memcpy(stage(), text, size);
    auto answer = ask(Call::Module, {size});
    if (answer.error) return static_cast<CUresult>(answer.error);
    *made = new Loaded{answer.values[0], {}};
    return CUDA_SUCCESS;
}

CUresult find(Kernel **found, Loaded &module, const char *name) {
    Kernel wanted;
    wanted.name = name, wanted.unit = module.unit;
    if (auto error = resolve(wanted)) return driver_error(error);
    *found = &module.kernels.emplace_back(wanted);
    return CUDA_SUCCESS;
}

CUresult variable(CUdeviceptr *address, size_t *size, Loaded &module, const char *name) {
    auto answer = ask(Call::ModuleSymbol, {module.unit}, name, strlen(name));
    if (answer.error) return driver_error(static_cast<cudaError_t>(answer.error));
    if (address) *address = answer.values[0];
    if (size) *size = answer.values[1];
    return CUDA_SUCCESS;
}

CUresult attribute(int *value, CUfunction_attribute wanted, Kernel &of) {
    auto answer = ask(Call::Attributes, {of.id});
    switch (wanted) {
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(answer.values[0]); break;
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = static_cast<int>(answer.values[1]); break;
        case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = static_cast<int>(answer.values[2]); break;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION: case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = static_cast<int>(answer.values[3]); break;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(answer.values[4]); break;
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = static_cast<int>(answer.values[5]); break;
        default: *value = 0;
    }
    return driver_error(static_cast<cudaError_t>(answer.error));
}

CUresult launched(CUfunction function, dim3 grid, dim3 block, unsigned shared, CUstream stream, void **arguments, bool cooperative) {
    return driver_error(launch(*kernel(function), grid, block, arguments, shared, stream, cooperative));
}
}  // namespace

API CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *, void **, unsigned, CUlibraryOption *, void **, unsigned) {
    return load(reinterpret_cast<Loaded **>(library), image);
}
API CUresult cuLibraryUnload(CUlibrary) { return CUDA_SUCCESS; }
API CUresult cuLibraryGetKernel(CUkernel *found, CUlibrary library, const char *name) {
    return find(reinterpret_cast<Kernel **>(found), *reinterpret_cast<Loaded *>(library), name);
}
API CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library, const char *name) {
    return variable(address, size, *reinterpret_cast<Loaded *>(library), name);
}
API CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    *module = reinterpret_cast<CUmodule>(library);
    return CUDA_SUCCESS;
}
API CUresult cuModuleLoadData(CUmodule *module, const void *image) { return load(reinterpret_cast<Loaded **>(module), image); }
API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, CUjit_option *, void **) {
    return load(reinterpret_cast<Loaded **>(module), image);
}
API CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
API CUresult cuModuleGetFunction(CUfunction *found, CUmodule module, const char *name) {
    return find(reinterpret_cast<Kernel **>(found), *reinterpret_cast<Loaded *>(module), name);
}
API CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule module, const char *name) {
    return variable(address, size, *reinterpret_cast<Loaded *>(module), name);
}

API CUresult cuKernelGetFunction(CUfunction *function, CUkernel of) {
    *function = reinterpret_cast<CUfunction>(of);
    return CUDA_SUCCESS;
}
API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute wanted, CUkernel of, CUdevice) { return attribute(value, wanted, *kernel(of)); }
API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute wanted, CUfunction of) { return attribute(value, wanted, *kernel(of)); }
API CUresult cuKernelSetAttribute(CUfunction_attribute, int, CUkernel, CUdevice) { return CUDA_SUCCESS; }
API CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
API CUresult cuKernelSetCacheConfig(CUkernel, CUfunc_cache, CUdevice) { return CUDA_SUCCESS; }
API CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
API CUresult cuKernelGetParamInfo(CUkernel of, size_t index, size_t *offset, size_t *size) {
    if (index >= kernel(of)->offsets.size()) return CUDA_ERROR_INVALID_VALUE;
    if (offset) *offset = kernel(of)->offsets[index];
    if (size) *size = kernel(of)->sizes[index];
    return CUDA_SUCCESS;
}
API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction of, int threads, size_t shared, unsigned) {
    auto answer = ask(Call::Occupancy, {kernel(of)->id, static_cast<uint64_t>(threads), shared});
    *blocks = static_cast<int>(answer.values[0]);
    return driver_error(static_cast<cudaError_t>(answer.error));
}
API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction of, int threads, size_t shared) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, of, threads, shared, 0);
}

API CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                            CUstream stream, void **arguments, void **) {
    return launched(function, {gx, gy, gz}, {bx, by, bz}, shared, stream, arguments, false);
}
API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                       unsigned shared, CUstream stream, void **arguments) {
    return launched(function, {gx, gy, gz}, {bx, by, bz}, shared, stream, arguments, true);
}
API CUresult cuLaunchKernelEx(const CUlaunchConfig *how, CUfunction function, void **arguments, void **) {
    bool cooperative = false;
    for (unsigned i = 0; i < how->numAttrs; i++)
        if (how->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) cooperative = how->attrs[i].value.cooperative;
    return launched(function, {how->gridDimX, how->gridDimY, how->gridDimZ}, {how->blockDimX, how->blockDimY, how->blockDimZ}, how->sharedMemBytes,
                    how->hStream, arguments, cooperative);
}
