"""What `cmake --install` leaves works from where it lies: the package, the command, the extension."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TARN_BUILD") or ROOT / "build/release").resolve()


def run(*command, **kwargs):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, **kwargs)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", BUILD, "--prefix", folder)
    return folder


def test_example_builds_and_runs_with_find_package(prefix, tmp_path):
    """The example uses the kernel alone, found by find_package(Tarn), and links no DuckDB."""
    cache = (BUILD / "CMakeCache.txt").read_text()
    sanitize = re.search(r"^TARN_SANITIZE:\w+=(.*)$", cache, re.M)
    flags = f"-fsanitize={sanitize[1]}" if sanitize and sanitize[1] else ""
    run("cmake", "-S", ROOT / "examples", "-B", tmp_path / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_FLAGS={flags}")
    run("cmake", "--build", tmp_path / "build")
    programs = [path for path in (tmp_path / "build").iterdir() if path.is_file() and os.access(path, os.X_OK)]
    assert programs
    for program in programs:
        assert "duckdb" not in run("ldd", program)
    # Each example tells CTest how it is run.
    listed = run("ctest", "--test-dir", tmp_path / "build", "--output-on-failure", "--no-tests=error")
    assert "100% tests passed" in listed


@pytest.mark.skipif(not (ROOT / "src/shell/main.cc").exists(), reason="this source tree has no command")
def test_command_finds_its_library(prefix):
    assert re.search(r"\d+\.\d+\.\d+", run(prefix / "bin/tarn", "--version", env={"PATH": os.environ["PATH"]}))


def test_extension_loads_from_the_prefix(prefix):
    extension, = prefix.rglob("tarn.duckdb_extension")
    assert (extension.parent / "libduckdb.so").exists()
    script = ("import duckdb, sys; c = duckdb.connect(config={'allow_unsigned_extensions': 'true'}); "
              "c.execute(f\"LOAD '{sys.argv[1]}'\"); print(c.execute('SELECT tarn_version()').fetchone()[0])")
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", run(sys.executable, "-c", script, extension))
