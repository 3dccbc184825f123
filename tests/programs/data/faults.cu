// One fault in each case; a comment after two slashes and an arrow names the finding at its line.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

__global__ void beyond(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) x[i] = 1;  //-> write-past-end
}

__global__ void spin() { for (;;) ; }
__global__ void count(float *x) { for (long i = 0; i < 1l << 40; i++) x[i % 2] += i; }

__constant__ float factor[4];

static const int N = 10000, BYTES = N * sizeof(float);
static float pageable[N];

static float *on_device()
{
    float *made;
    cudaMalloc(&made, BYTES);
    cudaMemset(made, 0, BYTES);
    return made;
}

int main(int argc, char **argv)
{
    float *d = nullptr, *e = nullptr, *h = nullptr, *m = nullptr;
    cudaStream_t s, t;
    cudaEvent_t a, b;
    float ms;
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1:
        d = on_device();
        cudaMemcpy(d, pageable, BYTES, cudaMemcpyDeviceToHost);  //-> copy-direction
        cudaFree(d);
        break;
    case 2:
        d = on_device();
        cudaMemcpy(pageable, d, BYTES, cudaMemcpyHostToDevice);  //-> copy-direction
        cudaFree(d);
        break;
    case 3:
        d = on_device();
        cudaMemcpy(d, pageable, BYTES + 4, cudaMemcpyHostToDevice);  //-> copy-beyond
        cudaFree(d);
        break;
    case 4:
        d = on_device();
        cudaMemcpy(pageable, d + 1, BYTES, cudaMemcpyDeviceToHost);  //-> copy-beyond
        cudaFree(d);
        break;
    case 5:
        d = on_device();
        cudaFree(d);
        cudaMemcpy(pageable, d, BYTES, cudaMemcpyDeviceToHost);  //-> copy-of-freed
        break;
    case 6:
        d = on_device();
        cudaMemcpy(pageable, pageable, BYTES, cudaMemcpyDeviceToHost);  //-> copy-direction
        cudaFree(d);
        break;
    case 7:
        d = on_device();
        cudaFree(d);
        cudaFree(d);  //-> free-twice
        break;
    case 8:
        d = on_device();
        cudaFree(d + 1);  //-> free-of-unknown
        cudaFree(d);
        break;
    case 9:
        cudaMallocHost(&h, BYTES);
        cudaFree(h);  //-> free-by-wrong-function
        cudaFreeHost(h);
        break;
    case 10:
        d = on_device();
        cudaFreeHost(d);  //-> free-by-wrong-function
        cudaFree(d);
        break;
    case 11:
        cudaFree(pageable);  //-> free-of-unknown
        break;
    case 12:
        cudaMalloc(&d, BYTES);  //-> never-released
        break;
    case 13:
        cudaMallocHost(&h, BYTES);  //-> never-released
        break;
    case 14:
        cudaMallocManaged(&m, BYTES);  //-> never-released
        break;
    case 15:
        twice<<<40, 256>>>(pageable, N);  //-> kernel-gets-host-pointer
        cudaDeviceSynchronize();
        break;
    case 16:
        d = on_device();
        cudaFree(d);
        twice<<<40, 256>>>(d, N);  //-> kernel-gets-freed
        cudaDeviceSynchronize();
        break;
    case 17:
        d = on_device();
        beyond<<<40, 256>>>(d, N);
        cudaDeviceSynchronize();
        cudaFree(d);
        break;
    case 18:
        d = on_device();
        twice<<<40, 2048>>>(d, N);  //-> invalid-launch, launch-error-unread
        cudaDeviceSynchronize();
        cudaFree(d);
        break;
    case 19:
        d = on_device();
        twice<<<0, 256>>>(d, N);  //-> invalid-launch
        if (cudaGetLastError() == cudaSuccess) return 3;
        cudaFree(d);
        break;
    case 20:
        d = on_device();
        twice<<<40, 256, 1 << 20>>>(d, N);  //-> invalid-launch
        cudaGetLastError();
        cudaFree(d);
        break;
    case 21:
        d = on_device();
        printf("%f\n", d[3]);  //-> host-uses-device-memory
        break;
    case 22:
        d = on_device();
        d[3] = 1;  //-> host-uses-device-memory
        break;
    case 23:
        d = on_device();
        cudaFree(d);
        printf("%f\n", d[3]);  //-> host-uses-freed
        break;
    case 24:
        cudaMallocHost(&h, BYTES);
        cudaFreeHost(h);
        h[0] = 1;  //-> host-uses-freed
        break;
    case 25:
        *(volatile int *)8 = 1;  //-> host-bad-address
        break;
    case 26:
        d = on_device();
        cudaMallocHost(&h, BYTES);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost);
        printf("%f\n", h[7]);  //-> host-reads-early
        cudaDeviceSynchronize();
        cudaFree(d), cudaFreeHost(h);
        break;
    case 27:
        d = on_device();
        cudaMallocHost(&h, BYTES);
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice);
        h[7] = 1;  //-> host-writes-early
        cudaDeviceSynchronize();
        cudaFree(d), cudaFreeHost(h);
        break;
    case 28:
        cudaMallocManaged(&m, BYTES);
        twice<<<40, 256>>>(m, N);
        printf("%f\n", m[7]);  //-> host-reads-early
        cudaDeviceSynchronize();
        cudaFree(m);
        break;
    case 29:
        cudaMallocManaged(&m, BYTES);
        twice<<<40, 256>>>(m, N);
        m[0] = 1;  //-> host-writes-early
        cudaDeviceSynchronize();
        cudaFree(m);
        break;
    case 30:
        d = on_device();
        cudaMallocHost(&h, BYTES);
        cudaStreamCreate(&s);
        cudaStreamCreate(&t);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(t);
        printf("%f\n", h[7]);  //-> host-reads-early
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s), cudaStreamDestroy(t);
        cudaFree(d), cudaFreeHost(h);
        break;
    case 31:
        d = on_device();
        cudaEventCreate(&a), cudaEventCreate(&b);
        cudaEventRecord(a);
        twice<<<40, 256>>>(d, N);
        cudaEventRecord(b);
        cudaEventElapsedTime(&ms, a, b);  //-> event-not-reached
        cudaEventDestroy(a), cudaEventDestroy(b);
        cudaFree(d);
        break;
    case 32:
        cudaEventCreate(&a), cudaEventCreate(&b);
        cudaEventElapsedTime(&ms, a, b);  //-> event-not-recorded
        cudaEventDestroy(a), cudaEventDestroy(b);
        break;
    case 33:
        d = on_device();
        cudaMemcpyAsync(d, pageable, BYTES, cudaMemcpyHostToDevice);  //-> async-copy-of-pageable
        cudaFree(d);
        break;
    case 34:
        d = on_device();  // released by the end of the process, which waits for nothing
        twice<<<40, 256>>>(d, N);  //-> ends-too-early
        break;
    case 35:
        cudaMalloc(&d, 1ull << 40);  //-> no-device-memory
        break;
    case 36:
        d = on_device();
        cudaMemset(d, 0, BYTES + 1);  //-> copy-beyond
        cudaFree(d);
        break;
    case 37:
        d = on_device(), e = on_device();
        cudaMemcpy(e, d + N / 2, BYTES, cudaMemcpyDeviceToDevice);  //-> copy-beyond
        cudaFree(d), cudaFree(e);
        break;
    case 38:
        d = on_device();
        cudaMemcpy2D(pageable, 400, d, 512, 400, 100, cudaMemcpyDeviceToHost);  //-> copy-beyond
        cudaFree(d);
        break;
    case 39:
        cudaMemcpyToSymbol(factor, pageable, 5 * sizeof(float));  //-> copy-beyond
        break;
    case 40:
        d = on_device();
        cudaMemcpy((void *)(d - (1 << 20)), pageable, 64, cudaMemcpyHostToDevice);  //-> copy-beyond
        cudaFree(d);
        break;
    case 41:
        cudaArray_t array;
        cudaMallocMipmappedArray((cudaMipmappedArray_t *)&array, nullptr, cudaExtent{}, 1, 0);  //-> runtime-function-missing
        break;
    case 42:
        spin<<<1, 1>>>();
        cudaDeviceSynchronize();
        break;
    case 43:
        for (;;) cudaDeviceSynchronize();
    case 44:  // no piece fills a page, but both together are the whole buffer
        d = on_device();
        cudaMallocHost(&h, 2 * sizeof(float));
        cudaStreamCreate(&s);
        cudaStreamCreate(&t);
        cudaMemcpyAsync(h + 1, d + N / 2, sizeof(float), cudaMemcpyDeviceToHost, t);
        cudaMemcpyAsync(h, d, sizeof(float), cudaMemcpyDeviceToHost, s);
        printf("%f\n", h[1]);  //-> host-reads-early
        cudaStreamSynchronize(s), cudaStreamSynchronize(t);
        cudaStreamDestroy(s), cudaStreamDestroy(t);
        cudaFree(d), cudaFreeHost(h);
        break;
    case 45:
        d = on_device();
        count<<<1, 1>>>(d);
        cudaDeviceSynchronize();
        break;
    case 46:
        d = on_device();
        cudaStreamCreate(&s);
        cudaStreamDestroy(s);
        twice<<<40, 256, 0, s>>>(d, N);  //-> launch-in-no-stream, launch-error-unread
        cudaFree(d);
        break;
    case 47:
        cudaEventCreate(&a);
        cudaEventDestroy(a);
        cudaEventRecord(a);  //-> call-fails
        break;
    case 48:
        cudaHostRegister(pageable, BYTES, 0);
        cudaHostRegister(pageable, BYTES, 0);  //-> call-fails
        cudaHostUnregister(pageable);
        break;
    case 49:
        cudaMemcpyToSymbol("factor", pageable, sizeof(float));  //-> call-fails
        break;
    case 50:
        cudaSetDevice(1);  //-> call-fails
        break;
    case 51:
        cudaMalloc(&d, BYTES);  //-> never-released
        cudaMemset(d, 0, BYTES);
        cudaDeviceReset();
        twice<<<40, 256>>>(d, N);  //-> kernel-gets-freed
        cudaDeviceSynchronize();
        break;
    case 52:  // an error that the program asks for, before one that it does not
        cudaSetDevice(1);
        cudaGetLastError();
        cudaHostUnregister(pageable);  //-> call-fails
        break;
    }
    return 0;
}
