#!/bin/sh
# Runs the kernels under the sanitizers: tests/native (and the pytest paths given as arguments) with a module
# built for address and undefined behavior, then a threaded program built for data races. Any report is a failure.
set -eu

cd "$(dirname "$0")/.."
root=$(pwd)
python=${HORNBOOK_PYTHON:-$root/.venv/bin/python}
PATH=$(dirname "$python"):$PATH
export PATH

# Configures and builds $1 in build/$1 with the further arguments.
build() {
    folder=$1
    shift
    cmake -S . -B "build/$folder" -G Ninja --log-level=WARNING -DHORNBOOK_DEVELOPER=ON "$@" >/dev/null
    ninja -C "build/$folder" --quiet
}

echo "sanitize: building for address and undefined behavior"
build asan -DHORNBOOK_SANITIZE=address -DPython_EXECUTABLE="$python"
# A copy of the package around the instrumented module: nothing in src/ knows of it.
rm -rf build/asan/src
mkdir -p build/asan/src
cp -r src/hornbook build/asan/src/
rm -f build/asan/src/hornbook/_native/_ext*.so
cp build/asan/_ext*.so build/asan/src/hornbook/_native/

echo "sanitize: running the tests"
# Python frees little at its end, so leaks cannot be told; any other report ends the process, and pytest must not
# swallow it (--capture=sys).
watched() {
    LD_PRELOAD=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so) \
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    UBSAN_OPTIONS=print_stacktrace=1 \
    PYTHONPATH=$root/build/asan/src \
    PYTHONMALLOC=malloc \
        "$python" "$@"
}
watched -c 'from hornbook._native import _ext; assert "/build/asan/src/" in _ext.__file__, _ext.__file__'
watched -m pytest -q -p no:cacheprovider -o pythonpath=. --capture=sys -n auto tests/native "$@"

echo "sanitize: building for data races"
build tsan -DHORNBOOK_SANITIZE=thread
echo "sanitize: running the threads"
# Fixed addresses where the machine allows it: the sanitizer's shadow memory does not fit every random layout.
fixed=
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed="setarch $(uname -m) -R"; fi
$fixed env TSAN_OPTIONS=halt_on_error=1 build/tsan/race
echo "sanitize: nothing to report"
