# Nothing here is wrong. Each function asserts what it computes; the functions named as arguments run, or else all.
import linecache
import math
import multiprocessing
import sys

import numpy as np
from helper import scaled
from numba import complex64, cuda, float32, guvectorize, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

N = 1000
BLOCKS = (N + 255) // 256


@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


def ones(n=N):
    return np.ones(n, np.float32)


def vector_add():
    @cuda.jit
    def add(a, b, c):
        i = cuda.grid(1)
        if i < c.size:
            c[i] = a[i] + b[i]

    a = np.arange(N, dtype=np.float32)
    d_a, d_b = cuda.to_device(a), cuda.to_device(2 * a)
    d_c = cuda.device_array_like(a)
    add[BLOCKS, 256](d_a, d_b, d_c)
    assert (d_c.copy_to_host() == 3 * a).all()


def pinned_arrays():
    h = cuda.pinned_array(N, dtype=np.float32)
    h[:] = 1
    s = cuda.stream()
    d = cuda.to_device(h, stream=s)
    twice[BLOCKS, 256, s](d)
    d.copy_to_host(h, stream=s)
    s.synchronize()
    assert (h == 2).all()


def pinned_context():
    a = ones()
    s = cuda.stream()
    with cuda.pinned(a):
        d = cuda.to_device(a, stream=s)
        twice[BLOCKS, 256, s](d)
        d.copy_to_host(a, stream=s)
        s.synchronize()
    assert (a == 2).all()


def mapped_and_managed_arrays():
    for make in (cuda.mapped_array, cuda.managed_array):
        m = make(N, dtype=np.float32)
        m[:] = 3
        twice[BLOCKS, 256](m)
        cuda.synchronize()
        assert (m == 6).all()


def read_while_read():
    """A kernel and the host read the same mapped array at one time, which is allowed."""
    @cuda.jit
    def copy(x, y):
        i = cuda.grid(1)
        if i < y.size:
            y[i] = x[i]

    m = cuda.mapped_array(N, dtype=np.float32)
    m[:] = 1
    d = cuda.device_array(N, np.float32)
    copy[BLOCKS, 256](m, d)
    assert m.sum() == N
    assert d.copy_to_host().sum() == N


def events():
    start, end, s = cuda.event(), cuda.event(), cuda.stream()
    d = cuda.to_device(ones())
    start.record(s)
    twice[BLOCKS, 256, s](d)
    end.record(s)
    other = cuda.stream()
    end.wait(other)
    twice[BLOCKS, 256, other](d)
    end.synchronize()
    assert end.query()
    assert cuda.event_elapsed_time(start, end) > 0
    cuda.synchronize()


def default_streams():
    for s in (cuda.default_stream(), cuda.legacy_default_stream(), cuda.per_thread_default_stream()):
        d = cuda.to_device(ones())
        twice[BLOCKS, 256, s](d)
        s.synchronize()
        assert (d.copy_to_host() == 2).all()
    s = cuda.external_stream(0)
    with s.auto_synchronize():
        twice[BLOCKS, 256, s](d)
    assert (d.copy_to_host() == 4).all()


def arrays_of_the_host():
    a = ones()
    twice[BLOCKS, 256](a)
    assert (a == 2).all()


def forall():
    d = cuda.to_device(ones())
    twice.forall(N)(d)
    assert (d.copy_to_host() == 2).all()


def slices():
    d = cuda.to_device(np.arange(100, dtype=np.float32))
    twice[1, 32](d[10:20])
    assert d.copy_to_host()[9:12].tolist() == [9, 20, 22]
    d[5] = 77
    assert d[5] == 77
    d[:3] = 1
    assert d.copy_to_host()[:4].tolist() == [1, 1, 1, 3]
    m = cuda.to_device(np.arange(12, dtype=np.float32).reshape(3, 4))
    assert m[1].copy_to_host().tolist() == [4, 5, 6, 7]
    assert m.reshape(4, 3).T.copy_to_host().shape == (3, 4)
    m[0].copy_to_device(m[2])
    assert m.copy_to_host()[0].tolist() == [8, 9, 10, 11]


TABLE = np.arange(16, dtype=np.float32)


@cuda.jit
def reverse(x):
    part = cuda.shared.array(0, float32)
    table = cuda.const.array_like(TABLE)
    own = cuda.local.array(2, float32)
    t = cuda.threadIdx.x
    part[t] = x[t]
    cuda.syncthreads()
    own[0], own[1] = part[cuda.blockDim.x - 1 - t], table[t % 16]
    x[t] = own[0] + own[1]


def kinds_of_memory():
    a = np.arange(64, dtype=np.float32)
    reverse[1, 64, 0, 64 * 4](a)
    assert a[0] == 63
    assert a[63] == 15


def matrices():
    @cuda.jit
    def multiply(A, B, C):
        sA = cuda.shared.array((16, 16), float32)
        sB = cuda.shared.array(shape=(16, 16), dtype=float32)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = float32(0)
        for k in range(A.shape[1] // 16):
            sA[tx, ty] = A[x, ty + k * 16]
            sB[tx, ty] = B[tx + k * 16, y]
            cuda.syncthreads()
            for j in range(16):
                total += sA[tx, j] * sB[j, ty]
            cuda.syncthreads()
        C[x, y] = total

    A = np.arange(32 * 32, dtype=np.float32).reshape(32, 32) / 1000
    C = np.zeros_like(A)
    multiply[(2, 2), (16, 16)](A, A, C)
    assert np.allclose(C, A @ A, rtol=1e-4)


def atomics():
    @cuda.jit
    def histogram(x, h):
        i = cuda.grid(1)
        if i < x.size:
            cuda.atomic.add(h, x[i], 1)

    x = (np.arange(N) * 7 % 16).astype(np.int32)
    h = np.zeros(16, np.int32)
    histogram[BLOCKS, 256](x, h)
    assert (h == np.bincount(x)).all()


def reductions():
    total = cuda.reduce(lambda a, b: a + b)
    a = np.arange(10000, dtype=np.float64)
    assert total(a) == a.sum()
    assert total(cuda.to_device(a)) == a.sum()


def universal_functions():
    @vectorize(["float32(float32, float32)"], target="cuda")
    def plus_twice(a, b):
        return a + 2 * b

    @guvectorize(["void(float32[:], float32[:])"], "(n)->(n)", target="cuda")
    def next_of(a, b):
        for i in range(a.shape[0]):
            b[i] = a[i] + 1

    assert (plus_twice(ones(), ones()) == 3).all()
    assert (next_of(np.ones((10, 5), np.float32)) == 2).all()


def random_numbers():
    @cuda.jit
    def draw(states, x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = xoroshiro128p_uniform_float32(states, i)

    x = np.zeros(256, np.float32)
    draw[1, 256](create_xoroshiro128p_states(256, seed=1), x)
    assert 0.4 < x.mean() < 0.6


def grids_that_wait():
    @cuda.jit
    def reverse_all(a, b):
        i = cuda.grid(1)
        a[i] = i
        cuda.cg.this_grid().sync()
        b[i] = a[a.size - 1 - i]

    a, b = np.zeros(256, np.float32), np.zeros(256, np.float32)
    reverse_all[4, 64](a, b)
    assert b[0] == 255


def warps():
    @cuda.jit
    def add_up(x):
        v = x[cuda.threadIdx.x]
        for step in (16, 8, 4, 2, 1):
            v += cuda.shfl_down_sync(0xFFFFFFFF, v, step)
        if cuda.laneid == 0:
            x[0] = v

    a = ones(32)
    add_up[1, 32](a)
    assert a[0] == 32


def prints():
    @cuda.jit
    def say(n):
        if cuda.threadIdx.x < n:
            print("thread", cuda.threadIdx.x, "of", n)

    print("before")
    say[1, 32](2)
    cuda.synchronize()
    print("after")


def exceptions():
    @cuda.jit(debug=True, opt=False)
    def check(x):
        i = cuda.grid(1)
        if i >= 4:
            raise ValueError("too large")
        x[i] = 1

    @cuda.jit(debug=True, opt=False)
    def check_others(x):
        x[cuda.grid(1)] = 2

    a = np.zeros(8, np.float32)
    check_others[1, 8](a)
    try:
        check[1, 8](a)
    except ValueError as error:
        assert "too large" in str(error)
    else:
        raise AssertionError
    check_others[1, 8](a)
    assert (a == 2).all()


def records_and_complex_numbers():
    record = np.dtype([("x", np.float32), ("n", np.int32)], align=True)

    @cuda.jit
    def move(r):
        i = cuda.grid(1)
        if i < r.size:
            r[i].x += r[i].n

    @cuda.jit
    def square(z):
        i = cuda.grid(1)
        if i < z.size:
            z[i] = complex64(z[i] * z[i] + 1j)

    r = np.zeros(10, record)
    r["n"] = np.arange(10)
    move[1, 32](r)
    assert r["x"][5] == 5
    z = np.full(10, 1 + 2j, np.complex64)
    square[1, 32](z)
    assert np.allclose(z, (1 + 2j) ** 2 + 1j)


def small_types():
    @cuda.jit
    def change(half, byte, flag):
        i = cuda.grid(1)
        if i < half.size:
            half[i] = half[i] + half[i]
            byte[i] += 1
            flag[i] = not flag[i]

    half, byte, flag = np.ones(10, np.float16), np.zeros(10, np.int8), np.zeros(10, np.bool_)
    change[1, 32](half, byte, flag)
    assert (half == 2).all()
    assert (byte == 1).all()
    assert flag.all()


def reshapes_in_a_kernel():
    @cuda.jit
    def second_row(a, b):
        i = cuda.grid(1)
        if i < 5:
            b[i] = a.reshape(2, 5)[1, i]

    b = np.zeros(5, np.float32)
    second_row[1, 32](np.arange(10, dtype=np.float32), b)
    assert b.tolist() == [5, 6, 7, 8, 9]


def signatures_and_device_functions():
    @cuda.jit("void(float32[:], float32)")
    def change(a, k):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = scaled(a[i], k) + math.sin(a[i])

    a = ones(10)
    change[1, 32](a, 3.0)
    assert np.allclose(a, 3 + np.sin(1))


def three_dimensions():
    @cuda.jit
    def number(a):
        x, y, z = cuda.grid(3)
        if x < a.shape[0] and y < a.shape[1] and z < a.shape[2]:
            a[x, y, z] = x * 100 + y * 10 + z

    a = np.zeros((3, 4, 5), np.int64)
    number[(1, 1, 2), (4, 4, 4)](a)
    assert a[2, 3, 4] == 234


def kernels_from_text():
    """A kernel from other text than a reader of its file finds, as in a notebook after an edit."""
    names = {"cuda": cuda}
    exec(compile("@cuda.jit\ndef change(x):\n    x[cuda.grid(1)] += 1\n", "cell", "exec"), names)
    linecache.cache["cell"] = (1, None, ["def change(:\n"], "cell")
    a = ones(32)
    names["change"][1, 32](a)
    assert (a == 2).all()


def other_processes():
    """Processes that the program starts compute on the host, and have no device."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(math.sqrt, [4.0]) == [2.0]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(math.sqrt, [9.0]) == [3.0]


def the_device():
    device = cuda.get_current_device()
    assert device.compute_capability == (7, 5)
    assert device.name == "Tesla T4"
    assert device.MULTIPROCESSOR_COUNT == 40
    assert device.MAX_THREADS_PER_BLOCK == 1024
    assert cuda.select_device(0).id == 0
    assert len(cuda.gpus) == 1
    assert cuda.is_available()
    assert cuda.detect()
    info = cuda.current_context().get_memory_info()
    assert info.free <= info.total
    twice[BLOCKS, 256](cuda.to_device(ones()))
    assert max(twice.get_regs_per_thread().values()) > 1
    cuda.synchronize()


ALL = (
    *(vector_add, pinned_arrays, pinned_context, mapped_and_managed_arrays, read_while_read, events),
    *(default_streams, arrays_of_the_host, forall, slices, kinds_of_memory, matrices, atomics, reductions),
    *(universal_functions, random_numbers, grids_that_wait, warps, prints, exceptions),
    *(records_and_complex_numbers, small_types, reshapes_in_a_kernel, signatures_and_device_functions),
    *(three_dimensions, kernels_from_text, other_processes, the_device),
)
if __name__ == "__main__":
    for function in ALL:
        if function.__name__ in sys.argv[1:] or not sys.argv[1:]:
            function()
            print(function.__name__, "is right")
