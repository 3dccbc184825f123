// Rung `quads`: the image is one line of pixels; a thread loads four at once, 16 bytes, and stores four bytes.
//
// launch: grey block=256 grid=ceil(rows*cols/1024)

__device__ unsigned char grey_of(uchar4 pixel)
{
    return (unsigned char)(0.299f * pixel.x + 0.587f * pixel.y + 0.114f * pixel.z);
}

__global__ void grey(const uchar4 *__restrict__ image, unsigned char *__restrict__ out, int rows, int cols)
{
    const int n = rows * cols;
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first + 3 < n) {
        const uint4 four = *reinterpret_cast<const uint4 *>(image + first);
        const unsigned int words[4] = {four.x, four.y, four.z, four.w};
        unsigned char bytes[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            bytes[k] = grey_of(make_uchar4(words[k] & 0xff, words[k] >> 8 & 0xff, words[k] >> 16 & 0xff, 0));
        }
        *reinterpret_cast<uchar4 *>(out + first) = make_uchar4(bytes[0], bytes[1], bytes[2], bytes[3]);
    } else {
        for (int i = first; i < n; ++i) {
            out[i] = grey_of(image[i]);
        }
    }
}
