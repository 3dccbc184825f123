// Rung `shared`: one block per row, so that neighbouring threads read neighbouring numbers; a tree in shared memory
// makes one number of those of 128 threads.
//
// launch: softmax block=128 grid=rows
// launch: layer_norm block=128 grid=rows

#define THREADS 128

struct Sum {
    static __device__ float of(float a, float b) { return a + b; }
};

struct Most {
    static __device__ float of(float a, float b) { return fmaxf(a, b); }
};

// One number of those of all threads, in every thread.
template <class Merge>
__device__ float of_block(float mine)
{
    __shared__ float tree[THREADS];

    tree[threadIdx.x] = mine;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            tree[threadIdx.x] = Merge::of(tree[threadIdx.x], tree[threadIdx.x + half]);
        }
        __syncthreads();
    }
    const float all = tree[0];
    __syncthreads();
    return all;
}

__global__ void softmax(const float *x, float *out, int rows, int cols)
{
    const float *in = x + (size_t)blockIdx.x * cols;
    float *result = out + (size_t)blockIdx.x * cols;
    float most = in[0];
    for (int i = threadIdx.x; i < cols; i += THREADS) {
        most = fmaxf(most, in[i]);
    }
    most = of_block<Most>(most);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += THREADS) {
        sum += expf(in[i] - most);
    }
    sum = of_block<Sum>(sum);
    for (int i = threadIdx.x; i < cols; i += THREADS) {
        result[i] = expf(in[i] - most) / sum;
    }
}

__global__ void layer_norm(const float *x, const float *weight, const float *bias, float *normalised, int rows, int cols)
{
    const float *in = x + (size_t)blockIdx.x * cols;
    float *result = normalised + (size_t)blockIdx.x * cols;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += THREADS) {
        sum += in[i];
    }
    const float mean = of_block<Sum>(sum) / cols;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < cols; i += THREADS) {
        squares += (in[i] - mean) * (in[i] - mean);
    }
    const float inverse = rsqrtf(of_block<Sum>(squares) / cols + 1e-5f);
    for (int i = threadIdx.x; i < cols; i += THREADS) {
        result[i] = (in[i] - mean) * inverse * weight[i] + bias[i];
    }
}
