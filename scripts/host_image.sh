#!/usr/bin/env bash
# Make the worker image of this machine's own Python and packages: docs/operator/worker-image.md.
#
# For a machine, often one with a GPU in a cluster, that has no base image and can fetch none. The interpreter, the
# packages that a worker imports and the system's shared libraries go into it at the paths that they have here. The
# GPU's driver does not: the sandbox adds it.
#
#   PYTHON  an interpreter that has Grader and what it needs; .venv/bin/python if not given
#   CUDA_HOME  a CUDA toolkit, if the packages bring no compilers of their own; /usr/local/cuda if not given
#   IMAGE   what to call it, without a tag; grader.toml's sandbox.image says the same
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(realpath --no-symlinks "${PYTHON:-.venv/bin/python}")
packages="_distutils_hack cuda cupy cupy_backends cupyx llvmlite msgspec numba numba_cuda numpy packaging platformdirs psutil yaml"
toolkit_home=${CUDA_HOME:-/usr/local/cuda}
toolkit="nvrtc nvJitLink nvvm cudart"

# The emulator's machine code is compiled here, once: a container cannot keep it.
$python -c 'from grader.engines.emulator.warm_up import warm_up; warm_up()'

work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
{
    for link in /bin /lib /lib64; do [ -L $link ] && echo $link; done
    $python - $packages <<'WANTED'
import importlib.util, sys, sysconfig
from pathlib import Path

from grader.compile.toolkit_headers import toolkit_folders
from grader.cache import cache_folder
from grader.sandbox.docker.image import sources

executable = Path(sys.executable)
while executable.is_symlink():
    print(executable)
    executable = (executable.parent / executable.readlink()).absolute()
print(executable)
folders = {Path(folder) for folder in sys.path if Path(folder).is_dir()}
for folder in folders:
    print(*folder.glob("*.pth"), *folder.glob("*.py"), *folder.glob("*.dist-info"), sep="\n")
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        print(folder, *Path(folder).parent.glob(f"{name}.libs"), sep="\n")
print(*Path(sys.prefix).glob("pyvenv.cfg"), cache_folder(), *toolkit_folders(), *sources(), sep="\n")
WANTED
    find "$($python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" -type f \
        -not -path '*/__pycache__/*' -not -path '*-packages/*' -not -path '*/test/*'
    find /usr/lib64 /usr/lib/*-linux-gnu -maxdepth 1 -name '*.so*' \
        -not -name 'libcuda.so*' -not -name 'libnvidia-*' 2>/dev/null
    nvidia=$($python -c 'import nvidia; print(next(iter(nvidia.__path__)))')
    for folder in "$nvidia" "$(realpath "$nvidia")"; do
        for name in $toolkit; do find -L "$folder" -name "lib$name*.so*"; done
        find -L "$folder" -path '*/nvvm/*' -type f
    done
    # A toolkit beside the packages, where they bring no libdevice of their own.
    [ -d "$toolkit_home/nvvm" ] && find -L "$toolkit_home/nvvm" -type f
} | grep -v '^$' | sort -u >"$work/files"

mkdir -p "$work"/root/{dev,proc,sys,etc,tmp}
chmod 1777 "$work/root/tmp"
tar --create --file "$work/image.tar" --exclude=__pycache__ --exclude='*/tests/*' --files-from="$work/files" \
    --directory="$work/root" dev proc sys etc tmp

$python - "${IMAGE:-grader-worker}" "$work/image.tar" "$toolkit_home" <<'IMPORT'
import sys

import docker

from grader.cache import CACHE_VARIABLE, cache_folder
from grader.sandbox.docker.image import LABEL, digest, tagged

image = tagged(sys.argv[1])
name, _, tag = image.rpartition(":")
changes = [
    f"LABEL {LABEL}={digest()}",
    f"ENV {CACHE_VARIABLE}={cache_folder()}",
    f"ENV CUDA_HOME={sys.argv[3]}",
    "ENV HOME=/tmp",
    "ENV PYTHONDONTWRITEBYTECODE=1",
    "USER 65534:65534",
    "WORKDIR /tmp",
    f'ENTRYPOINT ["{sys.executable}", "-I", "-m", "grader.worker"]',
]
reply = docker.from_env(timeout=600).api.import_image(sys.argv[2], name, tag, changes=changes)
print(f"{image} is imported" if "sha256" in reply else reply)
IMPORT
