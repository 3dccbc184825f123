#!/usr/bin/env bash
# Build the image of a department's server on that of its workers: docs/operator/department.md.
#
#   IMAGE         the worker image, as for scripts/worker_image.sh
#   SERVER_IMAGE  what to call the server's image
set -euo pipefail
cd "$(dirname "$0")/.."

python=.venv/bin/python
worker=${IMAGE:-grader-worker}:$($python -c 'from grader.sandbox.docker.image import digest; print(digest())')
image=${SERVER_IMAGE:-grader-server}
context=dist/server

# The packages come from here, as for the worker's image.
rm -rf $context
mkdir -p $context/packages
cp deploy/Dockerfile deploy/entrypoint $context
version=$(docker run --rm --network none --entrypoint python3 "$worker" \
    -c 'import sys; print("%d.%d" % sys.version_info[:2])')
export PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1
$python -m pip wheel --quiet --no-deps --wheel-dir $context/packages .
$python -c 'import tomllib
extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]
print(*(one for extra in ("server", "postgresql", "lti") for one in extras[extra]), sep="\n")' >$context/requirements.txt
$python -m pip download --quiet --only-binary :all: --python-version "$version" \
    --dest $context/packages --requirement $context/requirements.txt

docker build --quiet --network none --tag "$image" --build-arg "WORKER=$worker" $context >/dev/null
echo "$image is built"
