"""Files that were there before the lake outlive whatever happens to the client that adds them, and are in the lake all or
none, once."""

import os
import random
import subprocess
import sys
import threading
import time

import duckdb
import pytest

FILES = 150
ADDER = """
import sys, duckdb
connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "2"})
connection.execute(f"LOAD '{sys.argv[1]}'")
connection.execute(sys.argv[2])
print("adding", flush=True)
connection.execute(sys.argv[3])
print("added", flush=True)
"""


def make_files(folder, count):
    folder.mkdir(parents=True)
    duckdb.execute(f"COPY (SELECT range::INTEGER AS i FROM range(2)) TO '{folder}/0.parquet' (FORMAT parquet)")
    content = (folder / "0.parquet").read_bytes()
    for number in range(1, count):
        (folder / f"{number}.parquet").write_bytes(content)


@pytest.mark.parametrize("catalog", ["sqlite", "duckdb", "postgres"])
def test_a_killed_client_has_added_all_or_none(make_world, tmp_path, catalog, seed, rounds, request):
    world = make_world(catalog)
    dice = random.Random(f"{seed} {catalog}")
    with world.open() as connection:
        connection.execute("CREATE TABLE lake.t (i INTEGER)")
    added = 0
    for turn in range(3 * rounds):
        folder = tmp_path / f"files{turn}"
        make_files(folder, FILES)
        call = f"CALL ducklake_add_data_files('lake', 't', '{folder}/*.parquet')"
        with subprocess.Popen([sys.executable, "-c", ADDER, world.extension, world.attach_statement(), call], text=True,
                              stdout=subprocess.PIPE) as child:
            assert child.stdout.readline() == "adding\n"
            time.sleep(dice.uniform(0, 0.1))
            child.kill()
            told = "added" in child.stdout.read()
        if catalog == "postgres":
            request.getfixturevalue("server").wait_until_idle("lake")
        assert len(os.listdir(folder)) == FILES
        with world.open() as connection:
            found = connection.execute("SELECT count(*) FROM lake.t").fetchone()[0] - added
            assert found in ((2 * FILES,) if told else (0, 2 * FILES))
            added += found
            if found == 0:  # nothing of the first call stands in the way of a second one
                connection.execute(call)
                added += 2 * FILES
            assert connection.execute("SELECT count(*) FROM lake.t").fetchone()[0] == added
        world.assert_whole()


@pytest.mark.parametrize("catalog", ["sqlite", "postgres"])
def test_sessions_that_add_the_same_files(make_world, tmp_path, catalog):
    """One of them wins; the others are told, and nobody removes a file."""
    world = make_world(catalog)
    make_files(tmp_path / "files", 20)
    with world.open() as connection:
        connection.execute("CREATE TABLE lake.t (i INTEGER)")
    results = []

    def add():
        with world.open() as connection:
            connection.execute("BEGIN")
            try:
                connection.execute(f"CALL ducklake_add_data_files('lake', 't', '{tmp_path}/files/*.parquet')")
                barrier.wait(60)
                connection.execute("COMMIT")
                results.append("added")
            except duckdb.Error as error:
                results.append(str(error))

    barrier = threading.Barrier(3)
    threads = [threading.Thread(target=add) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count("added") == 1, results
    assert all("another transaction has added it" in result for result in results if result != "added"), results
    with world.open() as connection:
        assert connection.execute("SELECT count(*) FROM lake.t").fetchone()[0] == 40
    assert len(os.listdir(tmp_path / "files")) == 20
    world.assert_whole()
