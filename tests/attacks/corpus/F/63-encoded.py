"""A kernel that no filter of the text can read: it is encoded."""

import base64

from numba import cuda

_SOURCE = "".join(map(chr, [99, 91, 105, 93, 32, 61, 32, 97, 91, 105, 93]))
_KERNEL = f"""
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        {_SOURCE}
"""
exec(compile(base64.b64decode(base64.b64encode(_KERNEL.encode())), __file__, "exec"))
vector_add = cuda.jit(globals()["vector_add"])
