"""A change feed needs no more memory for ten times the rows: it keeps ids of updates, compressed, and no row."""

import json
import subprocess
import sys

import pytest

# A process of its own, since what counts is the most that a process ever had.
READ = """
import json, sys
import duckdb

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

extension, attach, feed = sys.argv[1:]
connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
connection.execute(f"LOAD '{extension}'; SET temp_directory = ''; SET enable_progress_bar = false")
connection.execute(attach)
before = peak()
rows = connection.execute(feed).fetchall()
print(json.dumps([peak() - before, rows]))
"""
ROWS = 100_000  # of 160 bytes, which nothing compresses
FEEDS = {
    "changes": ("SELECT change_type, count(*), sum(length(s)) FROM ducklake_table_changes('lake', 'main', 't', 2, 4) "
                "GROUP BY ALL ORDER BY ALL",
                lambda n: [["delete", n // 10, 160 * (n // 10)], ["insert", n, 160 * n],
                           ["update_postimage", n // 5, 160 * (n // 5)], ["update_preimage", n // 5, 160 * (n // 5)]]),
    "insertions": ("SELECT count(*), sum(length(s)) FROM ducklake_table_insertions('lake', 'main', 't', 2, 4)",
                   lambda n: [[n + n // 5, 160 * (n + n // 5)]]),
    "deletions": ("SELECT count(*), sum(length(s)) FROM ducklake_table_deletions('lake', 'main', 't', 2, 4)",
                  lambda n: [[n // 5 + n // 10, 160 * (n // 5 + n // 10)]]),
}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    """A lake of some rows, and one of ten times as many; a fifth of them is updated, a tenth deleted."""
    from conftest import BUILD
    from harness import clients
    from lakes import World

    found = {}
    for rows in (ROWS, 10 * ROWS):
        world = found[rows] = World(clients.new_lake("sqlite", tmp_path_factory.mktemp("lake"), None), "sqlite", BUILD)
        connection = world.open()
        connection.execute("CREATE TABLE lake.t (i INTEGER, s VARCHAR)")
        connection.execute("INSERT INTO lake.t SELECT range, md5(range::VARCHAR) || md5('a' || range) || md5('b' || range) || "
                           f"md5('c' || range) || md5('d' || range) FROM range({rows})")
        connection.execute("UPDATE lake.t SET s = reverse(s) WHERE i % 5 = 0")
        connection.execute("DELETE FROM lake.t WHERE i % 10 = 3")
        connection.close()
    return found


@pytest.mark.parametrize("feed", FEEDS)
def test_a_feed_of_ten_times_the_rows(worlds, feed):
    query, expected = FEEDS[feed]
    grown = {}
    for rows, world in worlds.items():
        done = subprocess.run([sys.executable, "-c", READ, world.extension, world.attach_statement(), query],
                              text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        grown[rows], found = json.loads(done.stdout)
        assert found == expected(rows)
    # The texts of the larger lake have 160 MB. What is read at a time, a row group, has up to 20, and the smaller one has
    # less than one.
    assert grown[10 * ROWS] - grown[ROWS] < 70_000 and grown[10 * ROWS] < 130_000, f"kilobytes by rows: {grown}"
