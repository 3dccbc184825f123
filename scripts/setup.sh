#!/usr/bin/env bash
# Make .venv and install Grader into it: `scripts/setup.sh . ` or `scripts/setup.sh ".[dev]"`.
# Called by the Makefile, which decides whether there is anything to do. PYTHON names the interpreter to use.
set -euo pipefail
cd "$(dirname "$0")/.."

what=$1
venv=.venv
oldest="3.11"

stop() { # one line that says what is wrong, one that says what to do
    printf 'grader: %s\n        %s\n' "$1" "$2" >&2
    exit 2
}

suits() { "$1" -c "import sys; sys.exit(sys.version_info < (${oldest/./, }))" 2>/dev/null; }

find_python() {
    local candidate
    if [[ -n ${PYTHON:-} ]]; then
        suits "$PYTHON" || stop "PYTHON=$PYTHON is not a Python $oldest or newer." "Name another one, or leave PYTHON out."
        echo "$PYTHON"
        return
    fi
    for candidate in python3 python3.11 python3.12 python3.13 python3.14 python; do
        if suits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    stop "no Python $oldest or newer was found." "Install one (apt install python3 python3-venv) or run make PYTHON=/path/to/python3."
}

make_venv() {
    local python=$1
    if "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        "$python" -m venv --clear "$venv"
    elif "$python" -m pip --version >/dev/null 2>&1 && "$python" -c 'import venv' 2>/dev/null; then
        # Debian keeps ensurepip apart, but a pip of the system can furnish an environment as well.
        "$python" -m venv --clear --without-pip "$venv"
        "$python" -m pip --python "$venv/bin/python" --quiet --disable-pip-version-check install pip
    else
        stop "$("$python" --version) cannot make virtual environments here." "Run: apt install python3-venv"
    fi
}

show_progress() { # pip's chatter as one changing line in a terminal, and as nothing in a log
    local word name _
    while read -r word name _; do
        [[ -t 1 ]] || continue
        case $word in
            Collecting) printf '\r\033[K  looking up %s' "$name" ;;
            Downloading) printf '\r\033[K  downloading %s' "${name##*/}" ;;
            Installing) printf '\r\033[K  unpacking everything' ;;
            Successfully) printf '\r\033[K' ;;
        esac
    done
}

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    echo "Making a virtual environment in $venv with $("$python" --version) ..."
    make_venv "$python"
fi

echo "Installing $what into $venv; this happens once and takes about a minute ..."
# Both names: releases of pip before 25.3 know only the first for what a build itself needs.
export PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1
if ! "$venv/bin/python" -m pip install --progress-bar off --editable "$what" | tee "$venv/pip.log" | show_progress; then
    tail -n 20 "$venv/pip.log" >&2
    stop "pip could not install what Grader needs; its messages are above." "Check the network and run make again."
fi
