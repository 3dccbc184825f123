# One fault in each function; a comment with an arrow names the finding at its line. The functions named as arguments run.
import sys

import numpy as np
from numba import cuda, float32

N = 10000
BLOCKS = (N + 255) // 256


@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


@cuda.jit
def add(x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += x[i]


@cuda.jit
def beyond(x):
    i = cuda.grid(1)
    x[i] = 1  #-> out-of-bounds-write


@cuda.jit
def total(x, s):
    i = cuda.grid(1)
    if i < x.size:
        s[0] += x[i]  #-> data-race


@cuda.jit
def reverse(x):
    part = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    part[t] = x[t]
    x[t] = part[255 - t]  #-> data-race, uninitialised-value-used


@cuda.jit
def half_waits(x):
    if cuda.threadIdx.x < 40:
        cuda.syncthreads()  #-> barrier-not-reached-by-branch
    x[cuda.threadIdx.x] = 1


@cuda.jit
def change(x):
    x[cuda.grid(1)] *= 2  #-> uninitialised-read


@cuda.jit
def forever(x):
    while x[0] == 0:  #-> endless-loop
        pass


def pinned(value=1.0):
    h = cuda.pinned_array(N, dtype=np.float32)
    h[:] = value
    return h


def reads_pinned_early():
    h = pinned()
    s = cuda.stream()
    d = cuda.to_device(h, stream=s)
    twice[BLOCKS, 256, s](d)
    d.copy_to_host(h, stream=s)
    print(h[5])  #-> host-reads-early
    s.synchronize()


def writes_pinned_early():
    h = pinned()
    s = cuda.stream()
    d = cuda.to_device(h, stream=s)
    h[:] = 3  #-> host-writes-early
    twice[BLOCKS, 256, s](d)
    s.synchronize()


def reads_mapped_early():
    m = cuda.mapped_array(N, dtype=np.float32)
    m[:] = 1
    twice[BLOCKS, 256](m)
    print(m.sum())  #-> host-reads-early
    cuda.synchronize()


def reads_managed_early():
    m = cuda.managed_array(N, dtype=np.float32)
    m[:] = 1
    twice[BLOCKS, 256](m)
    print(m[0])  #-> host-reads-early
    cuda.synchronize()


def writes_mapped_early():
    m = cuda.mapped_array(N, dtype=np.float32)
    m[:] = 1
    d = cuda.to_device(np.zeros(N, np.float32))
    add[BLOCKS, 256](m, d)
    m[0] = 4  #-> host-writes-early
    cuda.synchronize()


def copies_pageable_in_stream():
    a = np.ones(N, np.float32)
    s = cuda.stream()
    d = cuda.to_device(a, stream=s)  #-> stream-copy-of-pageable-array
    twice[BLOCKS, 256, s](d)
    s.synchronize()


def launches_in_another_stream():
    h = pinned()
    s, t = cuda.stream(), cuda.stream()
    d = cuda.to_device(h, stream=s)
    twice[BLOCKS, 256, t](d)  #-> streams-write-both
    cuda.synchronize()


def copies_back_in_another_stream():
    h = pinned()
    s, t = cuda.stream(), cuda.stream()
    d = cuda.to_device(np.ones(N, np.float32))
    twice[BLOCKS, 256, s](d)
    d.copy_to_host(h, stream=t)  #-> streams-write-then-read
    cuda.synchronize()


def waits_for_no_event():
    a, b = cuda.event(), cuda.event()
    d = cuda.to_device(np.ones(N, np.float32))
    a.record()
    twice[BLOCKS, 256](d)
    b.record()
    try:
        cuda.event_elapsed_time(a, b)  #-> elapsed-of-unreached
    except Exception as error:
        print(type(error).__name__)
    cuda.synchronize()


def records_no_event():
    a, b = cuda.event(), cuda.event()
    try:
        cuda.event_elapsed_time(a, b)  #-> elapsed-of-unrecorded
    except Exception as error:
        print(type(error).__name__)


def launches_too_many_threads():
    d = cuda.to_device(np.ones(N, np.float32))
    try:
        twice[1, 2048](d)  #-> invalid-launch
    except Exception as error:
        print(type(error).__name__)


def allocates_too_much():
    try:
        cuda.device_array(1 << 40, np.float32)  #-> array-out-of-memory
    except Exception as error:
        print(type(error).__name__)


def uses_nothing_written():
    d = cuda.device_array(256, np.float32)
    change[1, 256](d)
    cuda.synchronize()


def adds_without_atomics():
    s = cuda.to_device(np.zeros(1, np.float32))
    total[2, 128](cuda.to_device(np.ones(256, np.float32)), s)
    cuda.synchronize()


def misses_a_barrier():
    d = cuda.to_device(np.ones(256, np.float32))
    reverse[1, 256](d)
    cuda.synchronize()


def asks_for_a_handle():
    try:
        cuda.to_device(np.ones(N)).get_ipc_handle()  #-> driver-function-missing
    except Exception as error:
        print(type(error).__name__)


def waits_in_part_of_a_block():
    half_waits[1, 64](cuda.device_array(64, np.float32))
    cuda.synchronize()


def goes_beyond():
    d = cuda.to_device(np.ones(1000, np.float32))
    beyond[4, 256](d)
    cuda.synchronize()


def goes_beyond_an_argument():
    a = np.ones(1000, np.float32)
    beyond[4, 256](a)


def never_ends():
    forever[1, 1](cuda.to_device(np.zeros(1, np.float32)))
    cuda.synchronize()


def ends_too_early():
    twice[BLOCKS, 256](cuda.to_device(np.ones(N, np.float32)))  #-> ends-too-early


for name in sys.argv[1:]:
    globals()[name]()
