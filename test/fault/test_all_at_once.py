"""Writers, deleters, updaters, flushers, keepers and readers at once: every version is what a serial replay gives.

Threads of two processes; on a DuckDB file, which one process holds, of one. TARN_FAULT_ROUNDS makes it long.
"""

import json
import subprocess
import sys
from pathlib import Path

import crowd
import duckdb
import pytest

CROWD = str(Path(crowd.__file__))
ONE = ["writer", "writer", "deleter", "updater", "flusher", "flusher", "keeper", "reader"]
TWO = [["writer", "deleter", "updater", "flusher", "reader"], ["writer", "updater", "flusher", "keeper", "keeper"]]


@pytest.mark.parametrize("catalog", ["sqlite", "duckdb", "postgres"])
def test_each_version_is_that_of_a_serial_replay(make_world, catalog, rounds):
    world = make_world(catalog)
    with world.open() as connection:
        connection.execute(crowd.TABLE)
        connection.execute("CALL ducklake_set_option('lake', 'data_inlining_row_limit', '10')")
    run_crowd(world, [ONE] if catalog == "duckdb" else TWO, 10 * rounds)
    with world.open() as connection:
        compare_with_replay(connection)
    world.assert_whole()


def run_crowd(world, processes, transactions):
    running = [subprocess.Popen([sys.executable, CROWD, world.extension, world.attach_statement(), f"p{number}_",
                                 str(transactions), *roles], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
               for number, roles in enumerate(processes)]
    for process in running:
        output, problem = process.communicate(timeout=600)
        assert process.returncode == 0 and not problem, output + problem
        told = json.loads(output)
        assert not told["problems"], "\n".join(told["problems"])


def compare_with_replay(connection):
    expected = duckdb.connect()
    expected.execute("ATTACH ':memory:' AS lake")
    expected.execute(crowd.TABLE)
    snapshots = connection.execute("SELECT snapshot_id, commit_message FROM ducklake_snapshots('lake') "
                                   "WHERE snapshot_id > 1 ORDER BY snapshot_id").fetchall()
    assert [snapshot for snapshot, _ in snapshots] == list(range(2, len(snapshots) + 2)), "a snapshot is missing"
    for snapshot, statement in snapshots:
        if statement is None:  # upkeep
            continue
        expected.execute(statement)
        rows = connection.execute(f"SELECT w, b, i, v FROM lake.t AT (VERSION => {snapshot}) ORDER BY ALL").fetchall()
        assert rows == expected.execute("FROM lake.t ORDER BY ALL").fetchall(), f"version {snapshot}, after {statement}"
    rows = connection.execute("SELECT w, b, i, v FROM lake.t ORDER BY ALL").fetchall()
    assert rows == expected.execute("FROM lake.t ORDER BY ALL").fetchall()
