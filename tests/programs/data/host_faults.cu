// One fault in the memory of host code in each case; a comment after two slashes and an arrow names the finding.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

static const int N = 100;
int numbers[N];

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 0, behind = N + (argc > 9);
    float *d, *h, *x = static_cast<float *>(malloc(N * sizeof(float)));
    cudaMalloc(&d, N * sizeof(float)), cudaMallocHost(&h, N * sizeof(float));
    switch (which) {
    case 1:
        x[behind] = 1;  //-> host-heap-overflow
        break;
    case 2:
        free(x);
        printf("%f\n", x[3]);  //-> host-heap-freed
        break;
    case 3:
        free(x);
        free(x);  //-> host-heap-freed-twice
        break;
    case 4: {
        float *y = new float[N];
        y[behind % N] = 1;
        delete y;  //-> host-heap-wrong-release
        break;
    }
    case 5:
        printf("%d\n", numbers[behind]);  //-> host-array-overflow
        break;
    case 6: {
        volatile int own[8] = {};
        printf("%d\n", own[behind / 10]);  //-> host-array-overflow
        break;
    }
    case 7:  // the copy writes more than the array of the host has
        cudaMemcpy(x, d, (N + 1) * sizeof(float), cudaMemcpyDeviceToHost);  //-> copy-beyond
        break;
    case 8:
        printf("%f\n", d[3]);  //-> host-uses-device-memory
        break;
    case 9: {  // nothing is wrong
        std::vector<float> y(N, 2);
        cudaMemcpy(d, y.data(), N * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(h, d, N * sizeof(float), cudaMemcpyDeviceToHost);
        printf("%g\n", h[7]);
        break;
    }
    }
    cudaFree(d), cudaFreeHost(h);
    if (which != 2 && which != 3) free(x);
    return 0;
}
