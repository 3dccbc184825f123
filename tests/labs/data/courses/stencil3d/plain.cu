__global__ void stencil(const float *u, float *v, int nx, int ny, int nz, float c)
{
    int z = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (z >= nz || y >= ny) return;
    for (int x = 0; x < nx; ++x) {
        int i = (x * ny + y) * nz + z, dx = ny * nz, dy = nz;
        bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
        v[i] = inner ? c * u[i] + (1 - c) / 6
                * (u[i - 1] + u[i + 1] + u[i - dy] + u[i + dy] + u[i - dx] + u[i + dx])
                     : u[i];
    }
}
