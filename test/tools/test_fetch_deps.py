"""tools/fetch_deps.py uses nothing whose hash is not the pinned one, and does nothing twice."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import fetch_deps  # noqa: E402

CONTENT = b"the right bytes"


@pytest.fixture
def deps(tmp_path, monkeypatch):
    """An empty dependency folder, and a client that brings what the test says and counts its runs."""
    monkeypatch.setattr(fetch_deps, "DEPS", tmp_path)
    monkeypatch.setattr(fetch_deps.shutil, "which", lambda name: f"/usr/bin/{name}")
    runs = []

    def bring(command, cwd, content=CONTENT):
        runs.append(command)
        (Path(cwd) / "thing-1.tgz").write_bytes(content)

    monkeypatch.setattr(fetch_deps, "run", bring)
    return runs


def package(content=CONTENT):
    return {"name": "thing", "version": "1", "kind": "npm",
            "files": {"thing-1.tgz": fetch_deps.hashlib.sha256(content).hexdigest()}}


def test_fetches_once(deps):
    path = fetch_deps.archive(package())
    assert path.read_bytes() == CONTENT
    assert fetch_deps.archive(package()) == path
    assert len(deps) == 1


def test_other_bytes_are_refused_and_not_kept(deps):
    with pytest.raises(SystemExit, match="has sha256 .* but deps.lock.json says"):
        fetch_deps.archive(package(b"other bytes"))
    assert list((fetch_deps.DEPS / "downloads").iterdir()) == []


def test_damaged_download_is_fetched_again(deps):
    path = fetch_deps.archive(package())
    path.write_bytes(b"damaged")
    assert fetch_deps.archive(package()).read_bytes() == CONTENT
    assert len(deps) == 2


def test_lock_file_pins_everything_for_both_processors():
    packages = json.loads(fetch_deps.LOCK.read_text())["packages"]
    for pinned in packages:
        assert pinned["version"] and pinned["files"]
        assert all(len(digest) == 64 for digest in pinned["files"].values())
        if pinned["use"] == "test-venv":
            names = " ".join(pinned["files"])
            assert "-any.whl" in names or ("x86_64" in names and "aarch64" in names)
    assert {p.get("machine") for p in packages if p["use"] == "libduckdb"} == {"x86_64", "aarch64"}


def test_duckdb_is_of_one_version_everywhere():
    lock = json.loads(fetch_deps.LOCK.read_text())
    for pinned in lock["packages"]:
        if "duckdb" in pinned["name"]:
            assert pinned["version"].split("-")[0] == lock["duckdb_version"]
