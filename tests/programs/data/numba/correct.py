import numpy as np
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


n = 1000
a = np.arange(n, dtype=np.float32)
d_a = cuda.to_device(a)
d_b = cuda.to_device(2 * a)
d_c = cuda.device_array_like(a)
add[4, 256](d_a, d_b, d_c)
print(bool((d_c.copy_to_host() == 3 * a).all()))
