"""Both clients have one lake open at the same time, in processes of their own, and commit against each other.

Only catalogs that several processes can open: a DuckDB file is open in one at a time.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import PROVE, make_world

# While a transaction of the reference is open on an SQLite file, no other process can commit.
needs_tarn = pytest.mark.skipif(PROVE, reason="the reference locks the catalog file while it has a transaction open")


@pytest.fixture
def shared(tmp_path, request):
    world = make_world("sqlite", tmp_path, request)
    # Made by Tarn the file keeps a write-ahead log: readers and writers do not wait for each other.
    world.script("tarn", ["CREATE TABLE lake.t (who VARCHAR, n INTEGER)"])
    with world.session("tarn", "DATA_INLINING_ROW_LIMIT 0") as tarn, world.session("reference") as reference:
        yield world, tarn, reference
    world.check()


def test_each_sees_what_the_other_committed(shared):
    _, tarn, reference = shared
    for turn in range(4):
        tarn.run(f"INSERT INTO lake.t VALUES ('tarn', {turn})")
        assert reference.run("SELECT count(*) FROM lake.t") == [(str(2 * turn + 1),)]
        reference.run(f"INSERT INTO lake.t VALUES ('reference', {turn})")
        assert tarn.run("SELECT count(*) FROM lake.t") == [(str(2 * turn + 2),)]
    reference.run("CREATE TABLE lake.u AS SELECT 1 AS i")
    assert tarn.run("SELECT i FROM lake.u") == [("1",)]
    tarn.run("CREATE OR REPLACE TABLE lake.u AS SELECT 'x' AS s")
    assert reference.run("SELECT s FROM lake.u") == [("x",)]
    reference.run("ALTER TABLE lake.u ADD COLUMN more INTEGER DEFAULT 5")
    assert tarn.run("SELECT s, more FROM lake.u") == [("x", "5")]
    reference.run("DROP TABLE lake.u")
    assert "does not exist" in tarn.error("SELECT * FROM lake.u")


@needs_tarn
def test_open_transactions_keep_their_snapshot(shared):
    _, tarn, reference = shared
    reference.run("INSERT INTO lake.t SELECT 'reference', range FROM range(100)")
    tarn.run("BEGIN")
    assert tarn.run("SELECT count(*) FROM lake.t") == [("100",)]
    reference.run("INSERT INTO lake.t VALUES ('reference', 1000)")
    reference.run("DELETE FROM lake.t WHERE n < 50")
    assert tarn.run("SELECT count(*) FROM lake.t") == [("100",)]
    tarn.run("COMMIT")
    assert tarn.run("SELECT count(*) FROM lake.t") == [("51",)]


@needs_tarn
def test_inserts_of_both_are_kept(shared):
    _, tarn, reference = shared
    tarn.run("BEGIN")
    tarn.run("INSERT INTO lake.t VALUES ('tarn', 1)")
    reference.run("INSERT INTO lake.t VALUES ('reference', 1)")
    reference.run("CREATE TABLE lake.v AS SELECT 1 AS i")
    tarn.run("CREATE TABLE lake.w AS SELECT 1 AS i")
    tarn.run("COMMIT")
    for session in (tarn, reference):
        assert session.run("SELECT count(*), count(DISTINCT rowid) FROM lake.t") == [("2", "2")]
        assert session.run("SELECT count(DISTINCT table_id) FROM ducklake_table_info('lake')") == [("3",)]


@needs_tarn
def test_insert_goes_on_after_a_column_was_added(shared):
    """The file lacks the new column, and so reads as its default: nothing that would need a conflict."""
    _, tarn, reference = shared
    tarn.run("BEGIN")
    tarn.run("INSERT INTO lake.t VALUES ('tarn', 1)")
    reference.run("ALTER TABLE lake.t ADD COLUMN x INTEGER DEFAULT 7")
    tarn.run("COMMIT")
    for session in (tarn, reference):
        assert session.run("SELECT who, n, x FROM lake.t") == [("tarn", "1", "7")]


@needs_tarn
@pytest.mark.parametrize("mine, theirs", [
    ("INSERT INTO lake.t VALUES ('tarn', 1)", "DROP TABLE lake.t"),
    ("CREATE TABLE lake.same (i INTEGER)", "CREATE TABLE lake.SAME (j VARCHAR)"),
    ("CREATE VIEW lake.same AS SELECT 1 AS i", "CREATE VIEW lake.same AS SELECT 2 AS i"),
    ("CREATE SCHEMA lake.same", "CREATE SCHEMA lake.same"),
    ("DROP TABLE lake.t", "DROP TABLE lake.t"),
    ("CREATE TABLE lake.s.t (i INTEGER)", "DROP SCHEMA lake.s"),
    ("DROP SCHEMA lake.s", "CREATE TABLE lake.s.t (i INTEGER)"),
    ("CREATE OR REPLACE TABLE lake.t AS SELECT 1 AS i", "DROP TABLE lake.t"),
])
def test_conflicts_are_told(shared, mine, theirs):
    _, tarn, reference = shared
    reference.run("CREATE SCHEMA lake.s")
    tarn.run("BEGIN")
    tarn.run(mine)
    reference.run(theirs)
    assert "onflict" in tarn.error("COMMIT")
    newest = reference.run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')")
    assert newest == [("3",)]
    assert tarn.run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')") == newest


@needs_tarn
def test_reference_finds_conflicts_with_tarn(shared):
    _, tarn, reference = shared
    tarn.run("INSERT INTO lake.t SELECT 'tarn', range FROM range(20)")
    for mine, theirs in (("DROP TABLE lake.t2", "INSERT INTO lake.t2 VALUES (1)"),
                         ("CREATE TABLE lake.same (i INTEGER)", "CREATE TABLE lake.same (i INTEGER)"),
                         ("INSERT INTO lake.t SELECT 'tarn', 1 FROM range(20)", "DELETE FROM lake.t WHERE n = 3")):
        tarn.run("CREATE TABLE IF NOT EXISTS lake.t2 (i INTEGER)")
        reference.run("BEGIN")
        reference.run(theirs)
        tarn.run(mine)
        # It says so, or that the file changed below it.
        message = reference.error("COMMIT")
        assert "onflict" in message or "locked" in message
        reference.run("SELECT 1")


@needs_tarn
def test_writers_that_queue_and_one_that_does_not(shared):
    """The reference may be refused, by its own time limit or by a race that it lost; nobody loses what was committed."""
    world, tarn, reference = shared
    written = {"tarn": 0, "other": 0, "reference": 0}
    with world.session("tarn", "DATA_INLINING_ROW_LIMIT 0") as other:
        sessions = {"tarn": tarn, "other": other, "reference": reference}

        def write(name):
            until = time.monotonic() + 2
            while time.monotonic() < until:
                kind, what = sessions[name].outcome(f"INSERT INTO lake.t VALUES ('{name}', {written[name]})")
                assert kind == "rows" or name == "reference", what
                written[name] += kind == "rows"
        with ThreadPoolExecutor() as pool:
            list(pool.map(write, written))
    assert written["tarn"] and written["other"]
    expected = sorted((name, str(count)) for name, count in written.items() if count)
    assert sorted(tarn.run("SELECT who, count(*) FROM lake.t GROUP BY who")) == expected
