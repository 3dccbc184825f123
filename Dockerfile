# The image a worker runs in: its interpreter, what grading needs, and the rooms of Grader that a worker imports. No
# lab, no model answer and no test data is in it. BASE is any image with glibc and Python 3.11 or newer with its venv
# module; `make image` makes one where none is given (docs/operator/worker-image.md).
#
# Build arguments:
#   PIP_OPTIONS  further options of pip: "--no-index --find-links wheels" takes everything from the folder dist/wheels
#   GPU          what to install for workers that hold a GPU: "cupy-cuda13x"
ARG BASE
FROM ${BASE}

ARG GPU=""
ARG PIP_OPTIONS=""
# What a grader asks before it gives a worker a GPU.
LABEL grader.gpu="${GPU}"

WORKDIR /build
# The pattern makes the folder optional. What a change to the code does not touch comes first.
COPY pyproject.toml constraints.txt dist/wheel[s] wheels/
RUN python3 -c 'import tomllib; project = tomllib.load(open("wheels/pyproject.toml", "rb"))["project"]; \
        print(*project["dependencies"], *project["optional-dependencies"]["curand"], sep="\n")' \
        > wheels/requirements.txt \
    && python3 -m venv /opt/grader \
    && /opt/grader/bin/python3 -m pip install --disable-pip-version-check --no-cache-dir ${PIP_OPTIONS} \
        --constraint wheels/constraints.txt --requirement wheels/requirements.txt ${GPU} \
    && rm -rf /build

WORKDIR /opt/grader/code/grader
COPY grader/__init__.py grader/errors.py grader/cache.py grader/references.py grader/plugins.py ./
COPY grader/model model/
COPY grader/messages messages/
COPY grader/languages languages/
COPY grader/compile compile/
COPY grader/engines engines/
COPY grader/worker worker/
# The emulator's machine code is compiled here, once: a container cannot keep it.
ENV PATH=/opt/grader/bin:$PATH GRADER_CACHE_DIR=/opt/grader/cache
RUN echo /opt/grader/code > "$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/grader.pth" \
    && python3 -m compileall -q /opt/grader/code \
    && python3 -c 'from grader.engines.emulator.warm_up import warm_up; warm_up()'

# A worker needs no name in the image's user table and no home; what it writes goes to the scratch it is given.
USER 65534:65534
WORKDIR /tmp
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1
ENTRYPOINT ["python3", "-I", "-m", "grader.worker"]
