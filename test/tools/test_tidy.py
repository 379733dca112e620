"""tools/tidy.py finds what it is there for, and nothing in the project as it is."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tidy  # noqa: E402

HEADER = "// What it is.\n#pragma once\n"


def problems(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tidy.problems(folder)


def test_project_is_tidy():
    assert tidy.problems(ROOT) == []


def test_sources_are_formatted():
    assert subprocess.run([ROOT / "tools" / "format.sh", "--check"], capture_output=True, text=True).stderr == ""


def test_downward_includes_are_fine(tmp_path):
    assert problems(tmp_path, {
        "src/base/text.h": HEADER,
        "src/catalog/lake.cc": '// Lake.\n#include "base/text.h"\n#include "tarn/lake.h"\n#include <map>\n',
        "src/store/sqlite/driver.h": HEADER,
        "src/shell/main.cc": '// Main.\n#include "store/sqlite/driver.h"\n',
        "src/engine/extension.cc": "// Engine.\n#include <duckdb.hpp>\n",
        "src/store/duckdb/driver.cc": "// Driver.\n#include <duckdb.h>\n",
    }) == []


@pytest.mark.parametrize("name, include", [
    ("src/base/x.cc", "catalog/y.h"),
    ("src/data/x.cc", "catalog/y.h"),
    ("src/catalog/x.cc", "store/sqlite/driver.h"),
    ("src/store/duckdb/x.cc", "store/sqlite/driver.h"),
    ("src/catalog/x.cc", "duckdb.hpp"),
    ("src/catalog/x.cc", "duckdb.h"),
    ("src/engine/stub/x.cc", "duckdb.hpp"),
    ("src/engine/x.cc", "duckdb.h"),
    ("include/tarn/x.h", "catalog/y.h"),
    ("src/base/x.cc", "base/absent.h"),
])
def test_forbidden_include_is_found(tmp_path, name, include):
    found = problems(tmp_path, {
        "src/catalog/y.h": HEADER, "src/store/sqlite/driver.h": HEADER,
        name: f'{HEADER}#include "{include}"\n'})
    assert len(found) == 1 and found[0].startswith(f"{name}: includes {include}")


@pytest.mark.parametrize("name, text, words", [
    ("src/base/x.cc", "// X.\n" + "\n" * 600, "601 lines"),
    ("src/base/x.h", "// X.\n", "#pragma once"),
    ("src/base/x.cc", "int x;\n", "open with a comment"),
    ("docs/x.md", "get it from https://" + "pypi" + ".org/simple\n", "host"),
    ("docs/x.md", "look in /" + "home/anna/tarn\n", "path of one machine"),
    ("src/base/x.cc", "// X.\n// TO" + "DO later\n", "finish it"),
])
def test_bad_text_is_found(tmp_path, name, text, words):
    found = problems(tmp_path, {name: text})
    assert len(found) == 1 and words in found[0]
