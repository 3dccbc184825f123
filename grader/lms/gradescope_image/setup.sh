#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image: it installs Grader into an environment of its own.
# PYTHON names another interpreter; pip's own variables, such as PIP_FIND_LINKS, apply.
set -euo pipefail
cd "$(dirname "$0")"

suits() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

python=${PYTHON:-}
for candidate in python3 python3.11 python3.12 python3.13; do
    if [ -z "$python" ] && suits "$candidate"; then
        python=$candidate
    fi
done
if [ -z "$python" ]; then
    apt-get update --quiet
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
        python3.11 python3.11-venv || {
        echo "grader: this image has no Python 3.11; choose Ubuntu 22.04 or newer in Gradescope." >&2
        exit 1
    }
    python=python3.11
fi

"$python" -m venv environment
environment/bin/python -m pip install --disable-pip-version-check --no-cache-dir --quiet \
    --constraint constraints.txt grader-*.whl

# The emulator's machine code is compiled here, once, and every submission uses it.
GRADER_CACHE_DIR="$PWD/cache" environment/bin/grader gradescope-run --prepare
