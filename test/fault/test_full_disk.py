"""No space is left where the data or the catalog lie: one clear sentence, nothing half done, and all works afterwards."""

import os
import subprocess

import pytest
from lakes import attempt

ROWS = "SELECT range AS id, hash(range) AS noise FROM range(600000)"
INSERT = f"INSERT INTO lake.item {ROWS}"


@pytest.fixture
def small_disk(tmp_path):
    """A file system of a few megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    try:
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], text=True,
                              capture_output=True)
        problem = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        problem = str(error)
    if problem:
        pytest.skip(f"a small file system cannot be mounted here: {problem}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path, leave=0):
    """Writes a file until nothing but `leave` bytes is left on its disk."""
    with open(path, "wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            pass
        file.truncate(max(0, os.path.getsize(path) - leave))


def state(connection):
    return (connection.execute("SELECT count(*), sum(id), sum(noise::HUGEINT) FROM lake.item").fetchone(),
            connection.execute("SELECT count(*) FROM lake.snapshots()").fetchone())


@pytest.fixture
def data_on(make_world, small_disk, tmp_path):
    """Makes a lake whose data path is on the small disk while its catalog is not."""
    def make(catalog):
        world = make_world(catalog, tmp_path / "lake")
        world.lake.data = f"{small_disk}/data/"
        return world
    return make


@pytest.mark.parametrize("catalog, change", [
    ("sqlite", INSERT),
    ("duckdb", INSERT),
    ("postgres", INSERT),
    ("sqlite", f"CREATE TABLE lake.second AS {ROWS}"),
    ("sqlite", f"CREATE TABLE lake.second PARTITIONED BY (bucket(40, id)) SORTED BY (noise) AS {ROWS}"),
    ("sqlite", "UPDATE lake.item SET noise = hash(id + 1)"),
    ("postgres", f"MERGE INTO lake.item USING ({ROWS}) AS new ON item.id = new.id WHEN NOT MATCHED THEN INSERT"),
], ids=["sqlite-insert", "duckdb-insert", "postgres-insert", "create-table-as", "partitions", "update", "merge"])
def test_a_full_data_disk_undoes_the_statement_and_frees_what_it_had_written(data_on, small_disk, catalog, change):
    world = data_on(catalog)
    with world.open() as connection:
        connection.execute("CREATE TABLE lake.item AS SELECT range AS id, hash(range) AS noise FROM range(50000)")
        before, files = state(connection), world.files()
        filler = small_disk / "filler"
        fill(filler, leave=100000)
        for statements in ([change], ["BEGIN", "INSERT INTO lake.item VALUES (-1, 1)", change, "COMMIT"]):
            error = attempt(connection, *statements)
            assert error is not None, "the change fits on the disk"
            assert "space" in error.lower(), error
            assert state(connection) == before
            assert world.files() == files, "a file of the failed transaction is left"
        connection.execute("INSERT INTO lake.item VALUES (-1, 1)")
        filler.unlink()
        connection.execute("UPDATE lake.item SET noise = hash(id + 1)")
        assert state(connection)[0][0] == 50001
    world.assert_whole(unreferenced=False)


def catalog_disk_full(world, filler):
    """Commits until the catalog's disk is full, and again when it is not. Returns the errors in between."""
    with world.open() as connection:
        connection.execute("SET ducklake_max_retry_count = 2")
        connection.execute("CREATE TABLE lake.item AS SELECT 0 AS id, 0 AS noise")
        fill(filler)
        committed, errors = 0, []
        for number in range(1, 200):
            before, files = state(connection), world.files()
            error = attempt(connection, f"INSERT INTO lake.item VALUES ({number}, 0)")
            if error is None:
                committed += 1
                continue
            errors.append(error)
            assert state(connection) == before and world.files() == files
            if len(errors) == 3:
                break
        assert errors, "the catalog's disk does not become full"
        filler.unlink()
        connection.execute("INSERT INTO lake.item VALUES (-1, 0)")
        assert state(connection)[0][0] == committed + 2
    with world.open() as connection:
        assert state(connection)[0][0] == committed + 2
    world.assert_whole(unreferenced=False)
    return errors


@pytest.fixture
def catalog_on(make_world, small_disk, tmp_path):
    """Makes a lake whose catalog is on the small disk while its data path is not."""
    def make(catalog):
        world = make_world(catalog, small_disk / "lake")
        world.lake.data = f"{tmp_path}/data/"
        return world
    return make


@pytest.mark.parametrize("catalog", ["sqlite", "duckdb"])
def test_a_full_catalog_disk_fails_commits_without_a_trace_and_no_later_one(catalog_on, small_disk, catalog):
    catalog_disk_full(catalog_on(catalog), small_disk / "filler")


@pytest.mark.parametrize("catalog", ["sqlite", "duckdb"])
def test_an_error_of_a_full_catalog_disk_says_that_no_space_is_left(catalog_on, small_disk, catalog):
    errors = catalog_disk_full(catalog_on(catalog), small_disk / "filler")
    assert all("space" in error.lower() or "full" in error.lower() for error in errors), errors
