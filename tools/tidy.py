#!/usr/bin/env python3
"""Checks what compilers do not: who may include whom, sizes, and that the project stands on its own.

Prints one line per problem and ends with 1 if there are any. The rules are told in CONTRIBUTING.md.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What each layer may include of the others; the public headers are open to all.
LAYERS = {
    "base": (),
    "format": ("base",),
    "store": ("base", "format"),
    "catalog": ("base", "format", "store"),
    "data": ("base", "format", "store"),
    "crypto": ("base",),
    "engine": ("base", "format", "store", "catalog", "data", "crypto"),
    "shell": ("base", "format", "store", "catalog", "data", "engine"),
    "server": ("base", "format", "store", "catalog", "data", "engine"),
}
DRIVERS = ("sqlite", "duckdb", "postgres", "mysql")
MAY_NAME_DRIVERS = ("engine", "shell", "server")

MAX_LINES = 600
CODE = (".cc", ".h", ".py", ".sh", ".cmake")
TEXT = CODE + (".md", ".txt", ".json", ".yml", ".yaml", ".toml", ".test", ".map", ".sql")

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)

# Package registries and forges are reached through their clients, whose settings say where they are.
# Spelled in parts, so that this file passes its own check.
HOSTS = re.compile(r"\b(?:%s)\b" % "|".join(
    re.escape(".".join(parts)) for parts in (
        ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("deb", "debian", "org"),
        ("crates", "io"), ("proxy", "golang", "org"), ("extensions", "duckdb", "org"))))
MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:%s)/\w" % "|".join(("root", "work", r"home/\w+", r"Users/\w+")))
UNFINISHED = re.compile(r"\b(?:%s)\b" % "|".join(("TO" "DO", "FIX" "ME", "XX" "X")))


def project_files(root):
    """Everything that belongs to the project: what git tracks or would track."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                                capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = [os.path.relpath(os.path.join(folder, name), root)
                  for folder, _, names in os.walk(root) for name in names
                  if not re.search(r"/(\.git|\.deps|build|__pycache__)(/|$)", folder)]
    return sorted(name for name in set(listed) if (root / name).is_file())


def layer_of(name):
    parts = Path(name).parts
    return parts[1] if len(parts) > 2 and parts[0] == "src" else None


def driver_of(name):
    parts = Path(name).parts
    return parts[2] if len(parts) > 3 and parts[:2] == ("src", "store") and parts[2] in DRIVERS else None


def resolve(root, name, target):
    """Which file of src/ an include means, if it means one."""
    beside = os.path.normpath(os.path.join(os.path.dirname(name), target))
    for candidate in (beside, os.path.join("src", target)):
        if candidate.startswith("src/") and (root / candidate).is_file():
            return candidate
    return None


def check_includes(root, name, text):
    layer = layer_of(name)
    is_engine = (layer == "engine" and not name.startswith("src/engine/stub/")
                 or name.startswith(("test/unit/engine/", "test/store/host/")))
    for bracket, target in INCLUDE.findall(text):
        if (target == "duckdb.hpp" or target.startswith("duckdb/")) and not is_engine:
            yield f"includes {target}: only src/engine may know DuckDB's C++ side"
        if target == "duckdb.h" and driver_of(name) != "duckdb":
            yield f"includes {target}: only src/store/duckdb may use DuckDB's C interface"
        if name.startswith("include/") and bracket == '"' and not target.startswith("tarn/"):
            yield f"includes {target}: public headers include only each other"
        if layer is None:
            continue
        file = resolve(root, name, target)
        if file is None:
            if target.split("/")[0] in LAYERS and "/" in target and bracket == '"':
                yield f"includes {target}, which does not exist"
            continue
        if layer not in LAYERS:
            yield f"lies in src/{layer}, which is no known layer"
            return
        other = layer_of(file)
        if other != layer and other not in LAYERS[layer]:
            yield f"includes {target}: {layer} may not know {other}"
        driver = driver_of(file)
        if driver and driver != driver_of(name) and layer not in MAY_NAME_DRIVERS:
            yield f"includes {target}: only the outer layers may name a driver"


def check_text(name, text):
    lines = text.splitlines()
    if name.endswith(CODE) and len(lines) > MAX_LINES:
        yield f"has {len(lines)} lines; split it (at most {MAX_LINES})"
    if name.endswith(".h") and not re.search(r"^#pragma once$", text, re.M):
        yield "has no #pragma once"
    if name.endswith((".cc", ".h")) and not text.startswith("//") and not name.startswith("test/"):
        yield "does not open with a comment that says what it is for"
    for number, line in enumerate(lines, 1):
        if host := HOSTS.search(line):
            yield f"line {number} names the host {host[0]}"
        if path := MACHINE_PATH.search(line):
            yield f"line {number} names a path of one machine: {path[0]}…"
        if name.endswith(CODE) and (word := UNFINISHED.search(line)):
            yield f"line {number} says {word[0]}: finish it, or file an issue"


def problems(root):
    """All problems of the project in a folder, as lines of text."""
    found = []
    for name in project_files(root):
        if not name.endswith(TEXT) and Path(name).name not in ("Makefile", "CMakeLists.txt", "run"):
            continue
        text = (root / name).read_text(encoding="utf-8", errors="replace")
        found += [f"{name}: {problem}" for problem in check_text(name, text)]
        if name.endswith((".cc", ".h")):
            found += [f"{name}: {problem}" for problem in check_includes(root, name, text)]
    return found


def main():
    found = problems(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
    print("\n".join(found) or "tidy: nothing to say")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
