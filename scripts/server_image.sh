#!/usr/bin/env bash
# Build the image of a department's server on that of its workers: docs/operator/department.md.
#
#   IMAGE         the worker image, as for scripts/worker_image.sh
#   SERVER_IMAGE  what to call the server's image
set -euo pipefail
cd "$(dirname "$0")/.."

python=.venv/bin/python
base=${BASE:-grader-base:bookworm}
image=${SERVER_IMAGE:-grader-server}

rm -rf dist/server
mkdir -p dist/server
version=$(docker run --rm --network none --entrypoint python3 "$base" \
    -c 'import sys; print("%d.%d" % sys.version_info[:2])')
export PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1
$python -m pip wheel --quiet --no-deps --wheel-dir dist/server .
$python -c 'import tomllib
extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]
print(*(one for extra in ("server", "postgresql", "lti") for one in extras[extra]), sep="\n")' >dist/server-requirements.txt
$python -m pip download --quiet --only-binary :all: --python-version "$version" \
    --dest dist/server --requirement dist/server-requirements.txt

# The stage of the worker is in the engine's cache, with the same arguments as it was built with.
docker build --quiet --network none --target server --tag "$image" \
    --build-arg "BASE=$base" --build-arg "GPU=${GPU:-}" --build-arg PIP_OPTIONS="--no-index --find-links wheels" . >/dev/null
echo "$image is built"
