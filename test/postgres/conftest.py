"""What all tests of lakes in PostgreSQL need: a server, empty databases, and a stock client with the built extension."""

import itertools
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import clients, postgres  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()
_numbers = itertools.count()


@pytest.fixture(scope="session")
def server():
    with postgres.Server() as running:
        yield running


@pytest.fixture
def database(server):
    """The name of an empty database."""
    name = f"attach_{next(_numbers)}"
    server.sql(f'CREATE DATABASE "{name}"')
    return name


@pytest.fixture
def instance(tmp_path):
    """A DuckDB with Tarn loaded."""
    opened = clients.Client("tarn", "postgres", str(BUILD / "tarn.duckdb_extension"), home=str(tmp_path)).open()
    yield opened
    opened.close()


@pytest.fixture
def client(instance):
    """A connection to it."""
    return instance.connect()
