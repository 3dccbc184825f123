// Calls about arrays, textures and surfaces that CUDA refuses: what is found, and the error that the call returns.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

cudaArray_t words, halves, freed;
int *memory, data[64];

cudaError_t texture(cudaResourceType kind, cudaArray_t array, void *linear, size_t pitch, cudaTextureFilterMode filter, cudaTextureReadMode read) {
    cudaResourceDesc resource{};
    resource.resType = kind;
    if (kind == cudaResourceTypeArray) resource.res.array.array = array;
    else if (kind == cudaResourceTypeLinear) resource.res.linear = {linear, cudaCreateChannelDesc<float>(), 64};
    else resource.res.pitch2D = {linear, cudaCreateChannelDesc<float>(), 8, 2, pitch};
    cudaTextureDesc sampling{};
    sampling.filterMode = filter, sampling.readMode = read;
    cudaTextureObject_t made;
    return cudaCreateTextureObject(&made, &resource, &sampling, nullptr);
}
cudaError_t surface(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaSurfaceObject_t made;
    return cudaCreateSurfaceObject(&made, &resource);
}

int main(int, char **arguments) {
    auto word = cudaCreateChannelDesc<int>(), half = cudaCreateChannelDesc<short>();
    auto three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    auto mixed = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
    cudaMallocArray(&words, &word, 8, 4), cudaMallocArray(&halves, &half, 8, 4), cudaMalloc(&memory, 1024);
    cudaArray_t made = nullptr;
    cudaMipmappedArray_t levels;
    cudaError_t error = cudaSuccess;
    switch (atoi(arguments[1])) {
    case 1: error = cudaMallocArray(&made, &three, 8, 4); break;  //-> array-format cudaErrorInvalidChannelDescriptor
    case 2: error = cudaMallocArray(&made, &mixed, 8, 4); break;  //-> array-format cudaErrorInvalidChannelDescriptor
    case 3: error = cudaMalloc3DArray(&made, &word, {8, 4, 6}, cudaArrayCubemap); break;  //-> array-extents cudaErrorInvalidValue
    case 4: error = cudaMemcpy2DToArray(words, 0, 0, data, 64, 64, 1, cudaMemcpyHostToDevice); break;  //-> copy-outside-array cudaErrorInvalidValue
    case 5: error = cudaMemcpy2DToArray(words, 2, 0, data, 8, 8, 1, cudaMemcpyHostToDevice); break;  //-> array-partial-elements cudaErrorInvalidValue
    case 6: error = cudaMemcpy2DArrayToArray(words, 0, 0, halves, 0, 0, 8, 1); break;  //-> array-elements-differ cudaErrorInvalidValue
    case 7: error = cudaMemcpy(words, data, 32, cudaMemcpyHostToDevice); break;  //-> array-as-pointer cudaErrorInvalidValue
    case 8: error = cudaMemcpy2DToArray(words, 0, 0, data, 32, 32, 1, cudaMemcpyDeviceToHost); break;  //-> copy-direction cudaErrorInvalidValue
    case 9: error = texture(cudaResourceTypeArray, words, 0, 0, cudaFilterModePoint, cudaReadModeNormalizedFloat); break;  //-> texture-normalises-words cudaErrorInvalidNormSetting cudaCreateTextureObject(&
    case 10: error = texture(cudaResourceTypeArray, halves, 0, 0, cudaFilterModeLinear, cudaReadModeElementType); break;  //-> texture-filters-integers cudaErrorInvalidFilterSetting cudaCreateTextureObject(&
    case 11: error = texture(cudaResourceTypeLinear, 0, memory + 4, 0, cudaFilterModePoint, cudaReadModeElementType); break;  //-> texture-misaligned cudaErrorInvalidValue cudaCreateTextureObject(&
    case 12: error = surface(words); break;  //-> surface-of-plain-array cudaErrorInvalidValue cudaCreateSurfaceObject(&
    case 13: error = cudaMallocMipmappedArray(&levels, &word, {8, 8, 0}, 2); break;
    }
    printf("%s", cudaGetErrorName(error));
    cudaFreeArray(words), cudaFreeArray(halves), cudaFree(memory);
    return 0;
}
