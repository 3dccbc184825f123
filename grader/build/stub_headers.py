"""Stand-ins for the host headers that students include: NVRTC has no C or C++ library of its own.

Those with content are the files in ``headers/``; the rest are host-only and stand in as empty files.
"""

from functools import cache
from importlib import resources

PRELUDE = "grader_prelude.h"
"""What nvcc has read before a file's first line, as far as kernels can tell; included in front of every unit."""

_CONTENT = {
    "cfloat": "float.h",
    "climits": "limits.h",
    "cmath": "math.h",
    "cstddef": "stddef.h",
    "cstdint": "stdint.h",
    "float.h": "float.h",
    "limits": "numeric_limits.h",
    "limits.h": "limits.h",
    "math.h": "math.h",
    PRELUDE: "prelude.h",
    "stddef.h": "stddef.h",
    "stdint.h": "stdint.h",
}

_EMPTY = frozenset(
    """
    algorithm array assert.h atomic bitset chrono complex condition_variable cassert cctype cerrno cinttypes cstdarg cstdio cstdlib
    cstring ctime ctype.h deque errno.h exception fcntl.h filesystem forward_list fstream functional future getopt.h
    initializer_list inttypes.h iomanip ios iostream istream iterator list locale malloc.h map memory mutex new
    numeric omp.h optional ostream process.h queue random regex set signal.h sstream stack stdarg.h stdbool.h
    stdexcept stdio.h stdlib.h string string.h string_view sys/stat.h sys/time.h sys/types.h thread time.h tuple
    type_traits typeinfo unistd.h unordered_map unordered_set utility valarray variant vector windows.h
    builtin_types.h cuda.h cuda_profiler_api.h cuda_runtime.h cuda_runtime_api.h device_atomic_functions.h
    device_functions.h device_launch_parameters.h driver_types.h host_defines.h math_functions.h nvtx3/nvToolsExt.h
    sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h sm_60_atomic_functions.h surface_functions.h
    surface_types.h texture_fetch_functions.h texture_indirect_functions.h texture_types.h vector_functions.h
    vector_types.h
    cublas_v2.h cudnn.h cufft.h curand.h cusolverDn.h cusparse.h exception.h helper_cuda.h
    helper_functions.h helper_image.h helper_math.h helper_string.h helper_timer.h
    """.split()
)


@cache
def stub_header(name: str) -> str | None:
    """The stand-in for ``#include <name>``; ``None`` where there is none."""
    if name in _CONTENT:
        return resources.files("grader.build").joinpath("headers", _CONTENT[name]).read_text(encoding="utf-8")
    return "" if name in _EMPTY else None
