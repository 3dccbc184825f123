# The image a worker runs in. BASE is any image with glibc and Python 3.11 or newer with its venv module;
# docs/worker-image.md says how to make one without a registry, and how to build without a network.
#
#   docker build --build-arg BASE=grader-base --tag grader-worker .
#
# Build arguments:
#   EXTRAS       what to install beside the base package: "[gpu-cuda13]" for workers that hold a GPU
#   PIP_OPTIONS  further options of pip: "--no-index --find-links ." takes everything from the folder ./dist/wheels
ARG BASE
FROM ${BASE}

ARG EXTRAS=""
ARG PIP_OPTIONS=""

WORKDIR /build
# The pattern makes the folder optional; its files land beside the others.
COPY pyproject.toml constraints.txt README.md LICENSE dist/wheel[s] ./
COPY grader grader/
COPY assignments assignments/
COPY reference reference/
RUN export PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
    && python3 -m venv /opt/grader \
    && /opt/grader/bin/python3 -m pip install --no-cache-dir ${PIP_OPTIONS} ".${EXTRAS}" \
    && rm -rf /build

# A worker needs no name in the image's user table and no home; what it writes goes to the scratch it is given.
USER 65534:65534
WORKDIR /tmp
ENV PATH=/opt/grader/bin:$PATH HOME=/tmp PYTHONDONTWRITEBYTECODE=1
ENTRYPOINT ["python3", "-m", "grader.worker"]
