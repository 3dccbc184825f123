"""What needs a newer GPU architecture than the one that submissions are compiled for, as a table of facts.

Sources: CUDA C++ Programming Guide (compute capabilities, atomic functions, warp reduce functions, warp matrix
functions, thread block clusters, programmatic dependent launch) and the guards in CUDA 13's device headers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grader.compile.ptx import COMPUTE_CAPABILITY
from grader.model.reason import Reason, reason

TARGET = "{}.{}".format(*COMPUTE_CAPABILITY)
"""The compute capability of every compilation, as CUDA's documentation writes it."""


@dataclass(frozen=True, slots=True)
class Newer:
    """The compute capability that something needs, and what does the same ``instead``, if there is such a thing."""

    needs: str
    instead: str = ""


_REDUCTIONS = {
    f"__reduce_{operation}_sync": Newer("8.0", "__shfl_down_sync")
    for operation in ("add", "and", "max", "min", "or", "xor")
}
_CLUSTERS = (
    *("this_cluster", "cluster_group", "clusterDim", "clusterIdx", "clusterRelativeBlockIdx"),
    *("clusterRelativeBlockRank", "clusterGridDimInClusters", "clusterDimIsSpecified", "__cluster_dims__"),
    *("__clusterDim", "__clusterIdx", "__clusterDimIsSpecified", "__clusterGridDimInClusters"),
    *(
        "__clusterRelativeBlockIdx",
        "__clusterRelativeBlockRank",
        "__clusterSizeInBlocks",
        "__cluster_barrier_arrive",
    ),
    *("__cluster_barrier_arrive_relaxed", "__cluster_barrier_wait", "__cluster_map_shared_rank"),
    *("__cluster_query_shared_rank", "__threadfence_cluster", "__isClusterShared", "__block_size__"),
)
_PACKED = tuple(
    f"__f{operation}_{rounding}"
    for operation in ("add2", "mul2", "fma2")
    for rounding in ("rn", "rz", "ru", "rd")
)

NAMES: Mapping[str, Newer] = {
    **_REDUCTIONS,
    **dict.fromkeys(_CLUSTERS, Newer("9.0")),
    **dict.fromkeys(_PACKED, Newer("10.0")),
    "cudaGridDependencySynchronize": Newer("9.0"),
    "cudaTriggerProgrammaticLaunchCompletion": Newer("9.0"),
    "__nv_associate_access_property": Newer("8.0"),
    "__nv_memcpy_async_shared_global_4": Newer("8.0", "__pipeline_memcpy_async"),
    "__nv_memcpy_async_shared_global_8": Newer("8.0", "__pipeline_memcpy_async"),
    "__nv_memcpy_async_shared_global_16": Newer("8.0", "__pipeline_memcpy_async"),
}
"""Names that the headers declare for newer architectures only."""

_MESSAGES: tuple[tuple[re.Pattern[str], str, Newer], ...] = (
    (re.compile(r"__cluster_dims__ is not supported .*"), "__cluster_dims__", Newer("9.0")),
    (
        re.compile(r"name followed by .*: precision"),
        "wmma::precision::tf32",
        Newer("8.0", "wmma::fragment<half>"),
    ),
    (re.compile(r"cannot specify max blocks per cluster .*"), "__launch_bounds__", Newer("9.0")),
    (
        re.compile(r'no instance of overloaded function "(?P<name>atomicAdd\w*)" .*\((?:float2|float4) \*.*'),
        "{name}(float4*)",
        Newer("9.0", "atomicAdd(float*)"),
    ),
    (
        re.compile(r'incomplete type "nvcuda::wmma::fragment<.*(?P<name>__nv_bfloat16|double|tf32).*'),
        "wmma::fragment<{name}>",
        Newer("8.0", "wmma::fragment<half>"),
    ),
)
"""Other messages of the compiler about newer architectures: their text, the name to give, and the fact."""

_ASSEMBLER = re.compile(
    r"'(?P<name>[^']+)'.* requires \.target (?:arch )?sm_(?P<major>\d+)(?P<minor>\d)[a-z]?\b.*"
)


def newer_architecture(name: str) -> Reason | None:
    """Why an undefined ``name`` is not available; ``None`` if no newer architecture has it."""
    return _said(name, NAMES[name]) if name in NAMES else None


def compiler_needs_newer(text: str) -> Reason | None:
    """What a ``text`` of the compiler says about a newer architecture; ``None`` if it is about something else."""
    for pattern, name, newer in _MESSAGES:
        match = pattern.fullmatch(text)
        if match is not None:
            return _said(name.format_map(match.groupdict()), newer)
    return None


def assembler_needs_newer(text: str) -> Reason | None:
    """The same for a ``text`` of the assembler, which names the architecture itself."""
    match = _ASSEMBLER.search(text)
    return None if match is None else _said(match["name"], Newer(f"{match['major']}.{match['minor']}"))


def _said(name: str, newer: Newer) -> Reason:
    if newer.instead:
        return reason(
            "use-instead-of-newer", name=name, needs=newer.needs, target=TARGET, instead=newer.instead
        )
    return reason("needs-newer-architecture", name=name, needs=newer.needs, target=TARGET)
