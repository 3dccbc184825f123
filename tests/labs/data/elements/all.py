from numba import cuda
from numpy import float16, float32, float64


@cuda.jit
def light(x, lit, tint, ramp, lens, negative, n):
    i = cuda.grid(1)
    if i < n:
        lamp = float64(ramp[0]) + 3 * ramp[1] + 9 * ramp[2] + 27 * ramp[3]
        lamp += 81 * tint[0] + 243 * tint[1] + 729 * tint[2]
        value = float32(x[i]) * lamp
        lit[i] = (-value if negative else value) + lens.kind + 7 * lens.weights[0] + 11 * lens.weights[1] + lens.gain


@cuda.jit
def add_in(sums, step, lens, n):
    i = cuda.grid(1)
    if i < n:
        sums[i] += step[0] + 3 * step[1] + lens.kind + int(4 * (lens.weights[0] - lens.weights[1]) + 2 * lens.gain)


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
