"""What the interoperability tests need: the built extension and command, and a lake for each catalog.

TARN_BUILD is the built tree. TARN_INTEROP_NO_CHECK leaves `tarn check` out. With TARN_INTEROP_PROVE set, the reference plays Tarn's part, too: then the tests prove
themselves, and nothing of Tarn is needed.
"""

import itertools
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from harness import clients, postgres  # noqa: E402
from sessions import World  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or ROOT / "build/release").resolve()
PROVE = bool(os.environ.get("TARN_INTEROP_PROVE"))


_count = itertools.count()


@pytest.fixture(scope="session")
def server():
    """A PostgreSQL server for the whole run, made when the first test asks for it."""
    with postgres.Server() as running:
        yield running


def make_world(catalog, folder, request):
    home = folder / "home"
    home.mkdir(parents=True)
    if PROVE:
        tarn, check = clients.Client("reference", catalog, home=str(home)), None
    else:
        tarn = clients.Client("tarn", catalog, str(BUILD / "tarn.duckdb_extension"), home=str(home))
        check = None if os.environ.get("TARN_INTEROP_NO_CHECK") else str(BUILD / "tarn")
    reference = clients.Client("reference", catalog, home=str(home))
    dsn = request.getfixturevalue("server").dsn if catalog == "postgres" else None
    lake = clients.new_lake(catalog, folder / "lake", dsn, f"interop_{next(_count)}")
    return World(lake, tarn, reference, str(folder), check)


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def catalog(request):
    return request.param


@pytest.fixture
def world(catalog, tmp_path, request):
    return make_world(catalog, tmp_path, request)


@pytest.fixture
def worlds(catalog, tmp_path, request):
    """Two lakes, for one script in each."""
    return (make_world(catalog, tmp_path / "one", request),
            make_world(catalog, tmp_path / "two", request))
