// Texture and surface objects.
#include "errors.h"
#include "refused.h"
#include <cstring>
#include <map>

namespace grader {
namespace {
struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc sampling;
};
std::map<cudaTextureObject_t, Texture> &textures() { static std::map<cudaTextureObject_t, Texture> all; return all; }
std::map<cudaSurfaceObject_t, cudaResourceDesc> &surfaces() { static std::map<cudaSurfaceObject_t, cudaResourceDesc> all; return all; }

// The order is that of `Description.of` in grader/programs/textures.py.
struct Description {
    uint64_t resource, address, bits[4], kind, width, height, pitch, addressing[3], filtering, reads_normalised, border[4], normalised;
};

void describe(const cudaChannelFormatDesc &format, Description *made) {
    for (int channel = 0; channel < 4; channel++) made->bits[channel] = static_cast<unsigned>((&format.x)[channel]);
    made->kind = format.f;
}

Description described(const cudaResourceDesc &resource, const cudaTextureDesc &sampling) {
    Description made{};
    made.resource = resource.resType;
    if (resource.resType == cudaResourceTypeArray) made.address = word(resource.res.array.array);
    if (resource.resType == cudaResourceTypeLinear) {
        auto &linear = resource.res.linear;
        made.address = device_address(linear.devPtr), made.width = linear.sizeInBytes;
        describe(linear.desc, &made);
    }
    if (resource.resType == cudaResourceTypePitch2D) {
        auto &plane = resource.res.pitch2D;
        made.address = device_address(plane.devPtr), made.width = plane.width, made.height = plane.height, made.pitch = plane.pitchInBytes;
        describe(plane.desc, &made);
    }
    for (int axis = 0; axis < 3; axis++) made.addressing[axis] = sampling.addressMode[axis];
    made.filtering = sampling.filterMode, made.reads_normalised = sampling.readMode == cudaReadModeNormalizedFloat;
    for (int channel = 0; channel < 4; channel++) {
        uint32_t bits;
        memcpy(&bits, &sampling.borderColor[channel], sizeof bits);
        made.border[channel] = bits;
    }
    made.normalised = sampling.normalizedCoords != 0;
    return made;
}

template <class Objects, class Object> auto found(Objects &objects, Object object) {
    auto at = objects.find(object);
    return at == objects.end() ? nullptr : &at->second;
}
}  // namespace
}  // namespace grader

using namespace grader;

API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource, const cudaTextureDesc *sampling,
                                        const cudaResourceViewDesc *view) {
    if (!object || !resource || !sampling) return failed(cudaErrorInvalidValue);
    if (resource->resType == cudaResourceTypeMipmappedArray) refuse("cudaCreateTextureObject of a mipmapped array");
    if (view) refuse("cudaCreateTextureObject with a resource view");
    if (sampling->sRGB) refuse("cudaCreateTextureObject with sRGB");
    if (sampling->seamlessCubemap) refuse("cudaCreateTextureObject with seamlessCubemap");
    auto wanted = described(*resource, *sampling);
    auto answer = ask(Call::TextureCreate, {}, &wanted, sizeof wanted);
    if (answer.error) return result(answer);
    *object = answer.values[0];
    textures()[*object] = {*resource, *sampling};
    return cudaSuccess;
}
API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    if (!object) return cudaSuccess;
    textures().erase(object);
    return result(ask(Call::ObjectDestroy, {object}));
}
API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object) {
    auto known = found(textures(), object);
    if (!known) return failed(cudaErrorInvalidValue);
    *resource = known->resource;
    return cudaSuccess;
}
API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *sampling, cudaTextureObject_t object) {
    auto known = found(textures(), object);
    if (!known) return failed(cudaErrorInvalidValue);
    *sampling = known->sampling;
    return cudaSuccess;
}

API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource) {
    if (!object || !resource || resource->resType != cudaResourceTypeArray) return failed(cudaErrorInvalidValue);
    auto answer = ask(Call::SurfaceCreate, {word(resource->res.array.array)});
    if (answer.error) return result(answer);
    *object = answer.values[0];
    surfaces()[*object] = *resource;
    return cudaSuccess;
}
API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    if (!object) return cudaSuccess;
    surfaces().erase(object);
    return result(ask(Call::ObjectDestroy, {object}));
}
API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t object) {
    auto known = found(surfaces(), object);
    if (!known) return failed(cudaErrorInvalidValue);
    *resource = *known;
    return cudaSuccess;
}
