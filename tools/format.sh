#!/bin/sh
# Formats all C++ sources with the pinned clang-format; with --check only names those that differ.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-format-14 >/dev/null; then
  echo "format: clang-format-14 was not found; run make setup" >&2
  exit 1
fi
files=$(git ls-files -co --exclude-standard '*.cc' '*.h')
if [ "${1:-}" = --check ]; then
  exec clang-format-14 --dry-run --Werror $files
fi
exec clang-format-14 -i $files
