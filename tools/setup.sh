#!/bin/sh
# Makes a machine ready to build and test Tarn: Debian packages by apt-get, everything else by
# tools/fetch_deps.py into .deps/. Quick when all is there; needs root (or sudo) only when it is not.
set -eu
cd "$(dirname "$0")/.."

installed() {
  # A tool that came another way than as its Debian package is as good.
  case $1 in
    npm) command -v npm >/dev/null && return ;;
    python3) command -v python3 >/dev/null && return ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null && return ;;
  esac
  dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
  missing=
  for package in $(grep -v '^#' tools/debian-packages.txt); do
    installed "$package" || missing="$missing $package"
  done
  if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ]; then
      as_root=
    elif command -v sudo >/dev/null; then
      as_root=sudo
    else
      echo "setup: these packages are missing, and installing them needs root:$missing" >&2
      echo "setup: have an administrator run: apt-get install --no-install-recommends$missing" >&2
      exit 1
    fi
    echo "installing Debian packages:$missing"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    if ! { $as_root apt-get update -q &&
           $as_root env DEBIAN_FRONTEND=noninteractive \
             apt-get install -q -y --no-install-recommends $missing; } >"$log" 2>&1; then
      cat "$log" >&2
      echo "setup: apt-get could not install the packages; its output is above" >&2
      exit 1
    fi
  fi
else
  for tool in c++ cmake ninja python3 npm; do
    if ! command -v $tool >/dev/null; then
      echo "setup: this is no Debian, so nothing was installed, and $tool is missing." >&2
      echo "setup: install the counterparts of what tools/debian-packages.txt lists, then run again." >&2
      exit 1
    fi
  done
fi

exec python3 tools/fetch_deps.py "$@"
