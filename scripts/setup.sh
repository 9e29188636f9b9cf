#!/usr/bin/env bash
# Make a virtual environment hold one requirements file.
#   scripts/setup.sh .venv requirements/dev.txt
# Nothing is done, and no network is needed, when the environment already holds it.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=$1
requirements=$2
python=${PYTHON:-python3}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "setup: $python is not Python 3.11 or later, which Hornbook needs; set PYTHON to one that is." >&2
    exit 1
fi
version=$("$python" --version)

# Two terminals may start at the same time; the second waits for the first.
mkdir -p build
exec 9>build/setup.lock
flock 9

# The record is the text of what was installed, not a time: a fresh checkout of the same versions changes nothing.
record=$venv/hornbook-requirements.txt
wanted="$version
$(cat requirements/dev.txt "$requirements")"
if [ -f "$record" ] && [ "$(cat "$record")" = "$wanted" ]; then
    exit 0
fi

if [ ! -x "$venv/bin/python" ] || [ "$("$venv/bin/python" --version)" != "$version" ]; then
    echo "setup: creating $venv with $version"
    "$python" -m venv --clear "$venv"
fi
echo "setup: installing $requirements into $venv (a minute or two, the first time only)"
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --requirement "$requirements"
"$venv/bin/python" -m pip --disable-pip-version-check check -q
printf '%s\n' "$wanted" >"$record"
