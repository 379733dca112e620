"""What the fault tests need: the built tree, catalogs of each kind, and PostgreSQL servers that may be hurt.

TARN_BUILD is the built tree. TARN_FAULT_ROUNDS (default 1) multiplies the rounds, TARN_FAULT_SEED (default 1) moves the
moments: a long run is one with many rounds, each of which can be had again by its seed.
"""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from harness import clients, postgres  # noqa: E402
from lakes import World  # noqa: E402
from servers import DurableServer  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()


@pytest.fixture(scope="session")
def rounds():
    return int(os.environ.get("TARN_FAULT_ROUNDS") or 1)


@pytest.fixture(scope="session")
def seed():
    return int(os.environ.get("TARN_FAULT_SEED") or 1)


@pytest.fixture(scope="session")
def server():
    """A PostgreSQL server that keeps what it acknowledged, even when it is killed."""
    if postgres.programs() is None:
        pytest.skip("no PostgreSQL server is installed")
    with DurableServer() as running:
        yield running


@pytest.fixture
def make_world(tmp_path, request):
    """Makes a lake on the catalog of a kind; its files go below `folder`."""
    def make(catalog, folder=None):
        dsn = request.getfixturevalue("server").dsn if catalog == "postgres" else None
        folder = Path(folder or tmp_path / "lake")
        return World(clients.new_lake(catalog, folder, dsn), catalog, BUILD)
    return make
