#!/usr/bin/env bash
# Build the image that sandboxed workers run in, unless the engine has it already: docs/operator/worker-image.md.
#
#   BASE   an image to build on; without it, Debian is installed into one (needs root and debootstrap)
#   IMAGE  what to call it, without a tag; grader.toml's sandbox.image says the same
#   GPU    what workers that hold a GPU need besides, such as cupy-cuda13x; give that image a name of its own
set -euo pipefail
cd "$(dirname "$0")/.."

python=.venv/bin/python
image=${IMAGE:-grader-worker}
base=${BASE:-grader-base:bookworm}
digest=$($python -c 'from grader.sandbox.docker.image import digest; print(digest())')

image=$image:$digest

if docker image inspect "$image" >/dev/null 2>&1; then
    echo "$image is up to date"
    exit
fi

if [ -z "${BASE:-}" ] && ! docker image inspect "$base" >/dev/null 2>&1; then
    if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
        echo "Give an image with Python 3.11 or newer as BASE, or run this as root with debootstrap installed." >&2
        exit 2
    fi
    root=$(mktemp --directory)
    trap 'rm -rf "$root"' EXIT
    debootstrap --variant=minbase --include=python3,python3-venv bookworm "$root" >"$root.log" || {
        tail -5 "$root.log" >&2
        exit 1
    }
    rm -rf "$root.log" "$root"/var/cache/apt "$root"/var/lib/apt/lists "$root"/usr/share/{doc,man,locale}
    tar --directory "$root" --create --one-file-system . | docker import - "$base" >/dev/null
fi

# The wheels come from here, so that the engine's machine needs no network: this one's pip knows where they are.
wanted=$({ cat pyproject.toml constraints.txt scripts/worker_image.sh; echo "${GPU:-}"; } | sha256sum | cut -c1-16)
if [ ! -e "dist/wheels/.complete-$wanted" ]; then
    rm -rf dist/wheels
    mkdir -p dist/wheels
    $python -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"];
print(*project["dependencies"], *project["optional-dependencies"]["curand"], sep="\n")' >dist/requirements.txt
    version=$(docker run --rm --network none --entrypoint python3 "$base" \
        -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    $python -m pip download --quiet --disable-pip-version-check --only-binary :all: --python-version "$version" \
        --constraint constraints.txt --dest dist/wheels --requirement dist/requirements.txt ${GPU:-}
    touch "dist/wheels/.complete-$wanted"
fi

docker build --quiet --network none --label "grader.worker=$digest" --tag "$image" \
    --build-arg "BASE=$base" --build-arg "GPU=${GPU:-}" --build-arg PIP_OPTIONS="--no-index --find-links wheels" . >/dev/null
echo "$image is built"
