from numba import cuda
from numpy import float16, float32


@cuda.jit
def grey(image, out, rows, cols):
    x, y = cuda.grid(2)
    if x < cols and y < rows:
        red, green, blue = float32(image[y, x, 0]), float32(image[y, x, 1]), float32(image[y, x, 2])
        out[y, x] = int(float32(0.299) * red + float32(0.587) * green + float32(0.114) * blue)


@cuda.jit
def axpy(x, y, alpha, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = float16(alpha * float32(x[i]) + float32(y[i]))


@cuda.jit
def move(bodies, alpha, n):
    i = cuda.grid(1)
    if i < n:
        for axis in range(3):
            bodies[i].position[axis] += alpha


@cuda.jit
def positive(signs, flags, n):
    i = cuda.grid(1)
    if i < n:
        flags[i] = signs[i] > 0


@cuda.jit
def compact(signs, kept, count, n):
    i = cuda.grid(1)
    if i < n and signs[i] > 0:
        kept[cuda.atomic.add(count, 0, 1)] = signs[i]
