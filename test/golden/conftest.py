"""What the tests of older lakes need. TARN_BUILD is the built tree."""

import itertools
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "interop")]

from harness import clients, postgres  # noqa: E402
from golden import Golden  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()
_count = itertools.count()


@pytest.fixture(scope="session")
def server():
    with postgres.Server() as running:
        yield running


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def catalog(request):
    return request.param


@pytest.fixture
def golden(catalog, tmp_path, request):
    """Makes lakes of a version on the catalog of the test."""

    def make(version):
        number = next(_count)
        server = request.getfixturevalue("server") if catalog == "postgres" else None
        return Golden(version, catalog, tmp_path / f"lake{number}", server, f"golden_{number}")

    return make


@pytest.fixture
def client(catalog, tmp_path):
    """A client by its name: tarn or reference."""

    def make(name):
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        extension = str(BUILD / "tarn.duckdb_extension") if name == "tarn" else None
        return clients.Client(name, catalog, extension, home=str(home))

    return make


@pytest.fixture
def tarn_command():
    return str(BUILD / "tarn")
