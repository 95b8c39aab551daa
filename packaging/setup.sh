# shellcheck shell=bash
# What ./run and ./check share: system packages, the virtual environment, the language model library, models.
# Sourced by bash (3.2 is enough). Progress goes to stderr, so that what a command prints stays clean.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$top/.venv
python=$venv/bin/python
cache=${XDG_CACHE_HOME:-$HOME/.cache}/companion
llama=$(grep -o 'llama-cpp-python==[0-9.]*' "$top/pyproject.toml")
# Only the library itself is wanted: with tools, tests and the rest the build takes four times as long.
llama_cmake_args="-DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_SERVER=OFF"
llama_cmake_args="$llama_cmake_args -DMTMD_BUILD=OFF -DLLAVA_BUILD=OFF -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF"
llama_cmake_args="$llama_cmake_args -DCMAKE_PROJECT_llama.cpp_INCLUDE=$(printf %q "$top/packaging/llama.cmake")"
build_pid=

say() { printf 'companion: %s\n' "$*" >&2; }

# die WHAT MEND
die() {
    printf 'companion: %s\n           %s\n' "$1" "$2" >&2
    exit 1
}

# With all that it started; it is a process group of its own.
stop_build() { [ -z "$build_pid" ] || kill -- "-$build_pid" 2>/dev/null || true; }

hash_of() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c 1-16; }

# A stamp changes when anything that set-up depends on does. stamp_of KIND [FILE...]
stamp_of() {
    { printf '%s\n' "$1" "$top" "${COMPANION_HOME:-}"; shift; cat "$top/pyproject.toml" "$top"/packaging/{setup.sh,llama.cmake} "$@"; } | hash_of
}
is_stamped() { [ -x "$python" ] && [ "$(cat "$venv/.stamp-$1" 2>/dev/null)" = "$2" ]; }
set_stamp() { printf '%s\n' "$2" >"$venv/.stamp-$1"; }

# One set-up at a time in one checkout; the second waits, then finds it done.
one_at_a_time() {
    command -v flock >/dev/null || return 0
    exec 9>"$top/.setup.lock"
    flock -n 9 || { say "waiting for another set-up of this checkout"; flock 9; }
}

# --- system packages -------------------------------------------------------------------------------------------------

missing_packages() {
    local package
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        *" installed") ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

# What Qt needs of the system for a window, on X11 and on Wayland.
# shellcheck disable=SC2034  # those who read this file use it
qt_packages="libegl1 libgl1 libdbus-1-3 libfontconfig1 libglib2.0-0 libxkbcommon0 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4
    libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1"

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "$@" >&2
}

# need_packages PACKAGE...: through apt where it may, else it prints the line to type.
need_packages() {
    command -v dpkg-query >/dev/null || return 0
    local missing
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
        die "these system packages are missing: $missing" "type: sudo apt-get install -y $missing"
    fi
    say "installing system packages: $missing"
    # shellcheck disable=SC2086 # one word per package
    apt_install $missing || { as_root apt-get -q update >&2 && apt_install $missing; } ||
        die "apt could not install: $missing" "see its message above; then run this again"
}

# --- python ----------------------------------------------------------------------------------------------------------

is_good_python() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    local name
    for name in ${COMPANION_PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$name" >/dev/null && is_good_python "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

make_venv() {
    # The scripts inside name the folder they were made in: a moved checkout needs new ones.
    if [ "$(cat "$venv/.made-for" 2>/dev/null)" = "$top" ] && "$python" -c '' 2>/dev/null; then return; fi
    local found
    found=$(find_python) || { need_packages python3 python3-venv; found=$(find_python); } ||
        die "Python 3.11 or newer with venv is needed" "install it (Debian 12 and Ubuntu 24.04 have it: python3-venv), or set COMPANION_PYTHON to one"
    say "making a virtual environment with $("$found" --version)"
    rm -rf "$venv"
    "$found" -m venv "$venv" || die "the virtual environment could not be made" "see the message above"
    printf '%s\n' "$top" >"$venv/.made-for"
}

pip() { "$python" -m pip --disable-pip-version-check -qq "$@" >&2; }

# Everything the package needs but the language model library, which is built meanwhile.
# install_package EXTRA, where "" is none
install_package() {
    say "installing the package and what it needs (about a minute)"
    "$python" - "$top/pyproject.toml" "$1" >"$venv/.requirements" <<'PYTHON'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)["project"]
wanted = project["dependencies"] + project["optional-dependencies"].get(sys.argv[2], [])
print(*(line for line in wanted if not line.startswith("llama-cpp-python")), sep="\n")
PYTHON
    if ! pip install -r "$venv/.requirements" || ! pip install --no-deps -e "$top"; then
        die "pip could not install what the package needs" "see its message above; is the package index reachable?"
    fi
}

# --- node ------------------------------------------------------------------------------------------------------------

# Named after what it holds, so that checkouts that want other versions do not disturb each other.
node_folder() { printf '%s/tests/node/%s' "$cache" "$(hash_of <"$top/tests/node/package-lock.json")"; }

# What tests read our streams for web interfaces with. The program itself needs no Node.js.
install_node_packages() {
    local folder fresh
    folder=$(node_folder)
    if [ -d "$folder" ]; then return; fi
    if ! command -v npm >/dev/null; then need_packages nodejs npm; fi
    command -v npm >/dev/null || die "npm is needed by the tests" "install Node.js 18 or newer, which brings it"
    say "installing the web interface packages that the tests read with"
    fresh=$folder.$$
    mkdir -p "$fresh"
    cp "$top"/tests/node/package*.json "$fresh/"
    (cd "$fresh" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) ||
        die "npm could not install what the tests need" "see its message above; is the package index reachable?"
    # Another checkout may have done so meanwhile.
    if [ ! -d "$folder" ]; then mv "$fresh" "$folder"; fi
    rm -rf "$fresh"
}

# --- the language model library --------------------------------------------------------------------------------------

# It is built for the very processor, so wheels of unlike machines that share a home are kept apart.
wheel_folder() {
    local abilities
    abilities=$(grep -m 1 -E '^(flags|Features)' /proc/cpuinfo 2>/dev/null | tr ' ' '\n' |
        grep -E '^(sse4_2|avx|fma$|f16c|bmi2|amx|asimd|sve|i8mm|bf16)' | sort -u | hash_of || true)
    printf '%s/wheels/%s-%s' "$cache" "$(uname -m)" "$(printf '%s' "$abilities" | cut -c 1-8)"
}

built_wheel() {
    local wheel
    for wheel in "$(wheel_folder)"/llama_cpp_python-"${llama#*==}"-*.whl; do
        [ -f "$wheel" ] && printf '%s' "$wheel" && return
    done
    return 1
}

build_wheel() {
    local folder
    folder=$(wheel_folder)
    mkdir -p "$folder"
    if command -v flock >/dev/null; then
        exec 8>"$folder/.lock"
        flock 8
    fi
    # Another checkout may have built it meanwhile.
    if built_wheel >/dev/null; then return; fi
    rm -rf "$folder/building"
    CMAKE_ARGS=$llama_cmake_args CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)} \
        "$python" -m pip --disable-pip-version-check wheel --no-deps --no-cache-dir --wheel-dir "$folder/building" "$llama" \
        >"$folder/build.log" 2>&1 && mv "$folder"/building/*.whl "$folder/" && rm -rf "$folder/building"
}

# Starts the build in the background, if there is none to be had yet.
start_llama() {
    built_wheel >/dev/null && return
    command -v g++ >/dev/null || command -v c++ >/dev/null || need_packages g++
    say "building the language model library in the background (2 to 10 minutes, once a machine)"
    trap stop_build EXIT
    set -m
    build_wheel </dev/null &
    build_pid=$!
    set +m
}

finish_llama() {
    if [ -n "$build_pid" ]; then
        while kill -0 "$build_pid" 2>/dev/null; do
            [ $((SECONDS % 30)) -ne 0 ] || say "still building the language model library"
            sleep 1
        done
        wait "$build_pid" || die "the language model library did not build" "see $(wheel_folder)/build.log; a C++ compiler and 2 GB of memory are needed"
        build_pid=
        trap - EXIT
    fi
    pip install "$(built_wheel)" || die "the built language model library could not be installed" "remove $(wheel_folder) and run this again"
}
