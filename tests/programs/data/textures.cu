// Arrays, textures and surfaces: each case prints values that the test knows from CUDA's documentation.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

template <class T> cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureDesc sampling) {
    cudaTextureObject_t made = 0;
    cudaError_t error = cudaCreateTextureObject(&made, &resource, &sampling, nullptr);
    if (error) printf("%s ", cudaGetErrorName(error));
    return made;
}
cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc made{};
    made.resType = cudaResourceTypeArray, made.res.array.array = array;
    return made;
}
cudaTextureDesc sampling(cudaTextureFilterMode filter, cudaTextureAddressMode mode, bool normalised,
                         cudaTextureReadMode read = cudaReadModeElementType) {
    cudaTextureDesc made{};
    made.addressMode[0] = made.addressMode[1] = made.addressMode[2] = mode;
    made.filterMode = filter, made.normalizedCoords = normalised, made.readMode = read;
    return made;
}

__global__ void read_line(cudaTextureObject_t t, const float *x, float *out) { out[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]); }
__global__ void read_plane(cudaTextureObject_t t, float x, float y, float *out) { *out = tex2D<float>(t, x, y); }
__global__ void read_volume(cudaTextureObject_t t, float x, float y, float z, float *out) { *out = tex3D<float>(t, x, y, z); }
__global__ void read_lines(cudaTextureObject_t t, float x, int layer, float *out) { *out = tex1DLayered<float>(t, x, layer); }
__global__ void read_planes(cudaTextureObject_t t, float x, float y, int layer, float *out) { *out = tex2DLayered<float>(t, x, y, layer); }
__global__ void read_cube(cudaTextureObject_t t, float x, float y, float z, float *out) { *out = texCubemap<float>(t, x, y, z); }
__global__ void read_cubes(cudaTextureObject_t t, float x, float y, float z, int layer, float *out) { *out = texCubemapLayered<float>(t, x, y, z, layer); }
__global__ void gather(cudaTextureObject_t t, float x, float y, float4 *out) { *out = tex2Dgather<float4>(t, x, y, 0); }
__global__ void fetch(cudaTextureObject_t t, int at, int *out) { *out = tex1Dfetch<int>(t, at); }
__global__ void read_pixel(cudaTextureObject_t t, float x, float y, float4 *out) { *out = tex2D<float4>(t, x, y); }
__global__ void level(cudaTextureObject_t t, float x, float y, float *out) { *out = tex2DLod<float>(t, x, y, 0.f); }
__global__ void double_surface(cudaSurfaceObject_t s, int width) {
    int x = threadIdx.x;
    if (x < width) {
        short2 v = surf2Dread<short2>(s, x * sizeof(short2), 1);
        surf2Dwrite(make_short2(2 * v.x, 2 * v.y), s, x * sizeof(short2), 0);
    }
}
__global__ void zero_outside(cudaSurfaceObject_t s, int *out) {
    out[0] = surf1Dread<int>(s, 4 * 100, cudaBoundaryModeZero);
    out[1] = surf1Dread<int>(s, 4 * 100, cudaBoundaryModeClamp);
    surf1Dwrite(7, s, 4 * 100, cudaBoundaryModeZero);
    out[2] = surf1Dread<int>(s, 4 * 3);
}
__global__ void outside(cudaSurfaceObject_t s) {
    surf1Dwrite(7, s, 4 * 100);  //-> outside
}
__global__ void forgets_bytes(cudaSurfaceObject_t s) {
    surf1Dwrite(7, s, 1);  //-> misaligned
}
__global__ void fill_volume(cudaSurfaceObject_t s) {
    surf3Dwrite(float(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z), s, threadIdx.x * 4, threadIdx.y, threadIdx.z);
}
__global__ void fill_layers(cudaSurfaceObject_t s) {
    surf2DLayeredwrite(float(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z), s, threadIdx.x * 4, threadIdx.y, threadIdx.z);
}

template <class T> T *device(size_t count = 1) { T *made; cudaMalloc(&made, count * sizeof(T)); return made; }
template <class T> T host(T *from) { T value; cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost); return value; }

void line(cudaTextureDesc how, std::vector<float> x) {
    float data[4] = {10, 20, 30, 50};
    auto format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 4);
    cudaMemcpy2DToArray(array, 0, 0, data, sizeof data, sizeof data, 1, cudaMemcpyHostToDevice);
    auto t = texture_of<float>(resource_of(array), how);
    float *at = device<float>(x.size()), *out = device<float>(x.size());
    cudaMemcpy(at, x.data(), x.size() * 4, cudaMemcpyHostToDevice);
    read_line<<<1, x.size()>>>(t, at, out);
    std::vector<float> back(x.size());
    cudaMemcpy(back.data(), out, x.size() * 4, cudaMemcpyDeviceToHost);
    for (float value : back) printf("%g ", value);
    cudaDestroyTextureObject(t), cudaFreeArray(array), cudaFree(at), cudaFree(out);
}

int main(int, char **arguments) {
    float *out = device<float>();
    switch (atoi(arguments[1])) {
    case 1: line(sampling(cudaFilterModePoint, cudaAddressModeClamp, false), {-5, 0, 0.99f, 1, 3.5f, 100}); break;
    case 2: line(sampling(cudaFilterModeLinear, cudaAddressModeClamp, false), {0, 0.5f, 1, 1.25f, 3, 9}); break;
    case 3: line(sampling(cudaFilterModePoint, cudaAddressModeWrap, true), {0, 0.25f, 1, 1.3f, -0.1f}); break;
    case 4: line(sampling(cudaFilterModePoint, cudaAddressModeMirror, true), {0, 1.1f, 1.9f, -0.1f}); break;
    case 5: {  // the border's colour, and wrap without normalised coordinates
        auto how = sampling(cudaFilterModePoint, cudaAddressModeBorder, false);
        how.borderColor[0] = 7;
        line(how, {-1, 0, 4});
        line(sampling(cudaFilterModePoint, cudaAddressModeWrap, false), {-1, 4});
        break;
    }
    case 6: {  // a step of the weights is 1/256
        line(sampling(cudaFilterModeLinear, cudaAddressModeClamp, false), {0.5f + 1 / 512.f - 1e-4f, 0.5f + 1 / 256.f});
        break;
    }
    case 7: {  // pitched memory, four bytes as numbers from 0 to 1
        uchar4 *plane, data[2] = {make_uchar4(0, 51, 102, 255), make_uchar4(255, 255, 255, 0)};
        size_t pitch;
        cudaMallocPitch(&plane, &pitch, sizeof data, 3);
        cudaMemset2D(plane, pitch, 0, sizeof data, 3);
        cudaMemcpy2D((char *)plane + 2 * pitch, pitch, data, sizeof data, sizeof data, 1, cudaMemcpyHostToDevice);
        cudaResourceDesc from{};
        from.resType = cudaResourceTypePitch2D, from.res.pitch2D = {plane, cudaCreateChannelDesc<uchar4>(), 2, 3, pitch};
        auto t = texture_of<uchar4>(from, sampling(cudaFilterModeLinear, cudaAddressModeClamp, true, cudaReadModeNormalizedFloat));
        auto found = device<float4>();
        read_pixel<<<1, 1>>>(t, 0.25f, 0.95f, found);
        auto value = host(found);
        printf("%zu %g %g %g %g", pitch % 512, value.x, value.y, value.z, value.w);
        cudaDestroyTextureObject(t), cudaFree(plane), cudaFree(found);
        break;
    }
    case 8: {  // linear memory, by index, and outside it
        int *memory = device<int>(8), data[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *found = device<int>();
        cudaMemcpy(memory, data, sizeof data, cudaMemcpyHostToDevice);
        cudaResourceDesc from{};
        from.resType = cudaResourceTypeLinear, from.res.linear = {memory, cudaCreateChannelDesc<int>(), sizeof data};
        auto t = texture_of<int>(from, sampling(cudaFilterModePoint, cudaAddressModeClamp, false));
        for (int at : {5, 8, -1}) { fetch<<<1, 1>>>(t, at, found); printf("%d ", host(found)); }
        cudaDestroyTextureObject(t), cudaFree(memory), cudaFree(found);
        break;
    }
    case 9: {  // a volume: from pitched host memory, a box of it back, filtered in three dimensions
        std::vector<float> data(4 * 3 * 2), back(2 * 2 * 2, -1);
        for (size_t i = 0; i < data.size(); i++) data[i] = i;
        auto format = cudaCreateChannelDesc<float>();
        cudaArray_t array;
        cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 3, 2));
        cudaMemcpy3DParms in{};
        in.srcPtr = make_cudaPitchedPtr(data.data(), 16, 4, 3), in.dstArray = array;
        in.extent = make_cudaExtent(4, 3, 2), in.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&in);
        cudaMemcpy3DParms box{};
        box.srcArray = array, box.srcPos = make_cudaPos(1, 1, 0), box.dstPtr = make_cudaPitchedPtr(back.data(), 8, 2, 2);
        box.extent = make_cudaExtent(2, 2, 2), box.kind = cudaMemcpyDeviceToHost;
        cudaMemcpy3D(&box);
        for (float value : back) printf("%g ", value);
        auto t = texture_of<float>(resource_of(array), sampling(cudaFilterModeLinear, cudaAddressModeClamp, false));
        read_volume<<<1, 1>>>(t, 1, 1, 1, out);
        printf("%g ", host(out));
        cudaDestroyTextureObject(t), cudaFreeArray(array);
        break;
    }
    case 10: {  // layers of lines and planes; an index outside is clamped
        float lines[6] = {0, 1, 2, 10, 11, 12}, planes[8] = {0, 1, 2, 3, 100, 101, 102, 103};
        auto format = cudaCreateChannelDesc<float>();
        cudaArray_t one, two;
        cudaMalloc3DArray(&one, &format, make_cudaExtent(3, 0, 2), cudaArrayLayered);
        cudaMalloc3DArray(&two, &format, make_cudaExtent(2, 2, 2), cudaArrayLayered);
        cudaMemcpy3DParms in{};
        in.srcPtr = make_cudaPitchedPtr(lines, 12, 3, 1), in.dstArray = one, in.extent = make_cudaExtent(3, 1, 2);
        in.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&in);
        in.srcPtr = make_cudaPitchedPtr(planes, 8, 2, 2), in.dstArray = two, in.extent = make_cudaExtent(2, 2, 2);
        cudaMemcpy3D(&in);
        auto point = sampling(cudaFilterModePoint, cudaAddressModeClamp, false);
        auto t = texture_of<float>(resource_of(one), point), u = texture_of<float>(resource_of(two), point);
        for (int layer : {0, 1, 5}) { read_lines<<<1, 1>>>(t, 1.5f, layer, out); printf("%g ", host(out)); }
        for (int layer : {-3, 1}) { read_planes<<<1, 1>>>(u, 1.5f, 1.5f, layer, out); printf("%g ", host(out)); }
        cudaDestroyTextureObject(t), cudaDestroyTextureObject(u), cudaFreeArray(one), cudaFreeArray(two);
        break;
    }
    case 11: {  // the six faces, and those of the second cubemap of a layered one
        std::vector<float> data(2 * 6 * 4);
        for (size_t i = 0; i < data.size(); i++) data[i] = i / 4;
        auto format = cudaCreateChannelDesc<float>();
        cudaArray_t cube, cubes;
        cudaMalloc3DArray(&cube, &format, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
        cudaMalloc3DArray(&cubes, &format, make_cudaExtent(2, 2, 12), cudaArrayCubemap | cudaArrayLayered);
        cudaMemcpy3DParms in{};
        in.srcPtr = make_cudaPitchedPtr(data.data(), 8, 2, 2), in.dstArray = cube, in.extent = make_cudaExtent(2, 2, 6);
        in.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&in);
        in.dstArray = cubes, in.extent = make_cudaExtent(2, 2, 12);
        cudaMemcpy3D(&in);
        auto how = sampling(cudaFilterModePoint, cudaAddressModeClamp, true);
        auto t = texture_of<float>(resource_of(cube), how), u = texture_of<float>(resource_of(cubes), how);
        float to[6][3] = {{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}};
        for (auto &d : to) { read_cube<<<1, 1>>>(t, d[0], d[1], d[2], out); printf("%g ", host(out)); }
        read_cubes<<<1, 1>>>(u, 0, -1, 0, 1, out);
        printf("%g ", host(out));
        cudaDestroyTextureObject(t), cudaDestroyTextureObject(u), cudaFreeArray(cube), cudaFreeArray(cubes);
        break;
    }
    case 12: {  // four texels around a point, anticlockwise from the lower left, and level 0
        float data[4] = {1, 2, 3, 4};
        auto format = cudaCreateChannelDesc<float>();
        cudaArray_t array;
        cudaMallocArray(&array, &format, 2, 2, cudaArrayTextureGather);
        cudaMemcpyToArray(array, 0, 0, data, sizeof data, cudaMemcpyHostToDevice);
        auto t = texture_of<float>(resource_of(array), sampling(cudaFilterModePoint, cudaAddressModeClamp, false));
        auto found = device<float4>();
        gather<<<1, 1>>>(t, 1, 1, found);
        auto value = host(found);
        level<<<1, 1>>>(t, 1.5f, 0.5f, out);
        printf("%g %g %g %g %g", value.x, value.y, value.z, value.w, host(out));
        cudaDestroyTextureObject(t), cudaFreeArray(array), cudaFree(found);
        break;
    }
    case 13: {  // a surface of pairs
        short data[12] = {0, 0, 0, 0, 0, 0, 1, -1, 2, -2, 3, -3}, back[12];
        auto format = cudaCreateChannelDesc<short2>();
        cudaArray_t array;
        cudaMallocArray(&array, &format, 3, 2, cudaArraySurfaceLoadStore);
        cudaMemcpy2DToArray(array, 0, 0, data, 12, 12, 2, cudaMemcpyHostToDevice);
        auto from = resource_of(array);
        cudaSurfaceObject_t s;
        cudaCreateSurfaceObject(&s, &from);
        double_surface<<<1, 32>>>(s, 3);
        cudaMemcpy2DFromArray(back, 12, array, 0, 0, 12, 2, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 6; i++) printf("%d ", back[i]);
        cudaDestroySurfaceObject(s), cudaFreeArray(array);
        break;
    }
    case 14: case 15: case 16: {  // boundaries of surfaces
        int data[4] = {1, 2, 3, 4}, *found = device<int>(3), back[3];
        auto format = cudaCreateChannelDesc<int>();
        cudaArray_t array;
        cudaMallocArray(&array, &format, 4, 0, cudaArraySurfaceLoadStore);
        cudaMemcpyToArray(array, 0, 0, data, sizeof data, cudaMemcpyHostToDevice);
        auto from = resource_of(array);
        cudaSurfaceObject_t s;
        cudaCreateSurfaceObject(&s, &from);
        if (atoi(arguments[1]) == 15) outside<<<1, 1>>>(s);
        else if (atoi(arguments[1]) == 16) forgets_bytes<<<1, 1>>>(s);
        else {
            zero_outside<<<1, 1>>>(s, found);
            cudaMemcpy(back, found, sizeof back, cudaMemcpyDeviceToHost);
            printf("%d %d %d", back[0], back[1], back[2]);
        }
        printf(" %d", cudaDeviceSynchronize() != cudaSuccess);
        cudaDestroySurfaceObject(s), cudaFreeArray(array), cudaFree(found);
        break;
    }
    case 17: {  // surfaces of a volume and of layers, read as textures
        auto format = cudaCreateChannelDesc<float>();
        cudaArray_t volume, layers;
        cudaMalloc3DArray(&volume, &format, make_cudaExtent(4, 3, 2), cudaArraySurfaceLoadStore);
        cudaMalloc3DArray(&layers, &format, make_cudaExtent(4, 3, 2), cudaArraySurfaceLoadStore | cudaArrayLayered);
        auto first = resource_of(volume), second = resource_of(layers);
        cudaSurfaceObject_t s, t;
        cudaCreateSurfaceObject(&s, &first), cudaCreateSurfaceObject(&t, &second);
        fill_volume<<<1, dim3(4, 3, 2)>>>(s);
        fill_layers<<<1, dim3(4, 3, 2)>>>(t);
        auto point = sampling(cudaFilterModePoint, cudaAddressModeClamp, false);
        auto a = texture_of<float>(first, point), b = texture_of<float>(second, point);
        read_volume<<<1, 1>>>(a, 3.5f, 2.5f, 1.5f, out);
        printf("%g ", host(out));
        read_planes<<<1, 1>>>(b, 2.5f, 1.5f, 1, out);
        printf("%g ", host(out));
        cudaDestroySurfaceObject(s), cudaDestroySurfaceObject(t), cudaDestroyTextureObject(a), cudaDestroyTextureObject(b);
        cudaFreeArray(volume), cudaFreeArray(layers);
        break;
    }
    case 18: {  // what an array says of itself, and copies between arrays
        auto format = cudaCreateChannelDesc<short2>(), pairs = cudaCreateChannelDesc<int>(), bytes = cudaCreateChannelDesc<uchar4>();
        cudaArray_t a, b, c;
        cudaMallocArray(&a, &format, 5, 4), cudaMallocArray(&b, &pairs, 5, 4), cudaMallocArray(&c, &bytes, 5, 4);
        cudaChannelFormatDesc found;
        cudaExtent extent;
        unsigned flags;
        cudaArrayGetInfo(&found, &extent, &flags, a);
        printf("%d %d %d %d %zu %zu %zu %u ", found.x, found.y, found.z, found.f, extent.width, extent.height, extent.depth, flags);
        int data[20], back[4] = {};
        for (int i = 0; i < 20; i++) data[i] = i;
        cudaMemcpy2DToArray(b, 0, 0, data, 20, 20, 4, cudaMemcpyHostToDevice);
        cudaMemcpy2DArrayToArray(c, 0, 0, b, 4, 1, 8, 2, cudaMemcpyDeviceToDevice);
        cudaMemcpy2DFromArray(back, 8, c, 0, 0, 8, 2, cudaMemcpyDeviceToHost);
        for (int value : back) printf("%d ", value);
        cudaFreeArray(a), cudaFreeArray(b), cudaFreeArray(c);
        break;
    }
    case 19: {  // a slice of pitched device memory, without arrays: x and width are in bytes
        cudaPitchedPtr memory;
        cudaMalloc3D(&memory, make_cudaExtent(8, 3, 2));
        cudaMemset3D(memory, 1, make_cudaExtent(8, 3, 2));
        unsigned char data[4] = {5, 6, 7, 8}, back[48];
        cudaMemcpy3DParms in{};
        in.srcPtr = make_cudaPitchedPtr(data, 2, 2, 2), in.dstPtr = memory, in.dstPos = make_cudaPos(3, 1, 1);
        in.extent = make_cudaExtent(2, 2, 1), in.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&in);
        cudaMemcpy3DParms all{};
        all.srcPtr = memory, all.dstPtr = make_cudaPitchedPtr(back, 8, 8, 3), all.extent = make_cudaExtent(8, 3, 2);
        all.kind = cudaMemcpyDeviceToHost;
        cudaMemcpy3D(&all);
        printf("%zu %d %d %d %d %d", memory.pitch % 512, back[0], back[35], back[36], back[43], back[44]);
        cudaFree(memory.ptr);
        break;
    }
    }
    cudaFree(out);
    return 0;
}
