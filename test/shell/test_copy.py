"""tarn copy: from and to each catalog, killed at any moment, and what it refuses. That copies are equal in every row is
shown by test/interop/test_copy.py."""

import json
import sqlite3
import subprocess
import sys
import time

import pytest

from conftest import FILES, ROOT, TARN

sys.path.insert(0, str(ROOT / "test"))
from harness import postgres  # noqa: E402

FILL = ["CREATE TABLE t (i INTEGER, s VARCHAR)", "INSERT INTO t VALUES (1, 'a'), (2, 'b')", "DELETE FROM t WHERE i = 1",
        FILES, "INSERT INTO t SELECT range, 'x' FROM range(10, 100)", "DELETE FROM t WHERE i >= 90",
        "CREATE VIEW v AS SELECT count(*) AS n FROM t"]
HISTORY = ("SELECT snapshot_id, snapshot_time, changes FROM lake.snapshots()",
           "SELECT rowid, snapshot_id, * FROM t ORDER BY rowid", "FROM v", "SELECT * FROM t AT (VERSION => 2) ORDER BY i",
           "FROM lake.table_changes('t', 1, 6) ORDER BY ALL")


def options(statements):
    return [word for statement in statements for word in ("-c", statement)]


@pytest.fixture(scope="module")
def server():
    with postgres.Server() as running:
        for name in ("first", "second"):
            running.sql(f"CREATE DATABASE {name}")
        yield running


@pytest.fixture
def place(server):
    """A new lake of a kind, by a name that tells two of them apart."""
    def of(kind, name):
        if kind != "postgres":
            return f"{kind}:{name}.{kind}"
        server.sql(f"DROP DATABASE {name}")
        server.sql(f"CREATE DATABASE {name}")
        return f"postgres:{server.dsn} dbname={name}"
    return of


KINDS = ["sqlite", "duckdb", "postgres"]


@pytest.mark.parametrize("source", KINDS)
def test_every_kind_becomes_every_kind(source, tarn, place):
    first = place(source, "first")
    tarn(first, "--data-path", "files", *options(FILL))
    shown = tarn(first, *options(HISTORY))
    for target in KINDS:
        second = place(target, "second")
        tarn("copy", first, "to", second, "--data", f"{target}_files", error="")
        assert tarn(second, *options(HISTORY)) == shown
        assert "The lake is whole" in tarn("check", "--deep", second)
    assert "The lake is whole" in tarn("check", first)


def test_what_was_copied_is_told(tarn, tmp_path):
    tarn("a.sqlite", *options(FILL))
    note = "Note: Both lakes have the same files. Write to one of the lakes only"
    dry = json.loads(tarn("copy", "a.sqlite", "TO", "b.sqlite", "--dry-run", "--json", error=note))
    assert not (tmp_path / "b.sqlite").exists()
    told = json.loads(tarn("copy", "a.sqlite", "b.sqlite", "--json", error=note))
    assert dry == told
    assert told == [{"snapshots": 7, "tables": 1, "catalog_rows": 2, "files": 2, "copied_files": 0, "shared_files": 2,
                     "bytes": told[0]["bytes"], "data_path": f"{tmp_path}/a.sqlite.files/"}]
    told = json.loads(tarn("copy", "a.sqlite", "c.sqlite", "--data", "c", "--json"))
    assert told[0] | {"bytes": 0} == {"snapshots": 7, "tables": 1, "catalog_rows": 2, "files": 2, "copied_files": 2,
                                      "shared_files": 0, "bytes": 0, "data_path": f"{tmp_path}/c/"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_copy_goes_on(kind, tarn, place, tmp_path, environment):
    tarn("a.sqlite", *options(
        [FILES, "CREATE TABLE t AS SELECT 0 AS i", *[f"INSERT INTO t SELECT {i} FROM range(20)" for i in range(1, 150)],
         "SET ducklake_default_data_inlining_row_limit = 5000", "INSERT INTO t SELECT 1000 FROM range(3000)"]))
    target = place(kind, "second")
    command = [TARN, "copy", "a.sqlite", "to", target, "--data", "b"]
    new, seen = tmp_path / "b/main/t", set()
    for wanted in (1, 20, 60, 140, 149, 150):
        done = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while done.poll() is None and (not new.exists() or len(list(new.glob("*.parquet"))) < wanted):
            time.sleep(0.001)
        done.kill()
        done.wait()
        if done.returncode == 0:
            break
        seen.add(len(list(new.glob("*.parquet"))))
        tarn("check", target, code=2, error="")
    assert seen
    if done.returncode != 0:
        tarn("copy", "a.sqlite", "to", target, "--data", "b")
    assert "The lake is whole" in tarn("check", "--deep", target)
    assert tarn("--csv", target, "-c", "SELECT count(*), sum(i) FROM t") == tarn("--csv", "a.sqlite", "-c", "SELECT count(*), sum(i) FROM t")
    assert sorted(path.name for path in (tmp_path / "b").rglob("*") if path.is_file()) == sorted(
        path.name for path in (tmp_path / "a.sqlite.files").rglob("*") if path.is_file())


def test_refusals(tarn, tmp_path):
    tarn("a.sqlite", *options(FILL))
    tarn("other.sqlite", "-c", "CREATE TABLE t (i INTEGER)")
    refused = [
        (["a.sqlite", "a.sqlite"], "cannot be copied to itself"),
        (["a.sqlite", "./a.sqlite"], "cannot be copied to itself"),
        (["a.sqlite", "other.sqlite"], 'There is a lake at "sqlite:other.sqlite" already'),
        (["a.sqlite", "b.sqlite", "--data", "a.sqlite.files/main"], "one folder lies in the other"),
        (["a.sqlite", "b.sqlite", "--data", "."], "one folder lies in the other"),
        (["a.sqlite", "absent/b.sqlite"], "The folder \"absent\" does not exist"),
        (["a.sqlite", "b.sqlite", "--to-schema", "s"], "SQLite databases have no schemas"),
        (["a.sqlite", "postgres:host=/nowhere dbname=x"], "postgres"),
        (["a.sqlite", "b.sqlite", "--data", "/proc/nowhere"], "/proc/nowhere"),
    ]
    for arguments, words in refused:
        tarn("copy", *arguments, code=1, error=words)
        assert not (tmp_path / "b.sqlite").exists()
    tarn("copy", "absent.sqlite", "b.sqlite", code=2, error='There is no lake at "absent.sqlite"')
    tarn("copy", "a.sqlite", code=2, error="TO is required")
    tarn("copy", "a.sqlite", "b.sqlite", "c.sqlite", code=2, error="tarn copy LAKE TO LAKE")
    tarn("copy", "a.sqlite", "to", code=2, error="tarn copy LAKE TO LAKE")


def test_a_foreign_database_is_left_alone_unless_it_is_named(tarn, tmp_path):
    tarn("a.sqlite", *options(FILL))
    with sqlite3.connect(tmp_path / "app.sqlite") as app:
        app.execute("CREATE TABLE users (name TEXT)")
    app.close()
    tarn("copy", "a.sqlite", "app.sqlite", code=1, error="with other tables")
    tarn("copy", "a.sqlite", "sqlite:app.sqlite", error="")
    assert "The lake is whole" in tarn("check", "app.sqlite")


def test_an_older_lake_is_migrated_first(tarn, tmp_path):
    tarn("old.sqlite", *options(FILL))
    with sqlite3.connect(tmp_path / "old.sqlite") as old:
        old.execute("UPDATE ducklake_metadata SET value = '0.3' WHERE key = 'version'")
    old.close()
    tarn("copy", "old.sqlite", "b.sqlite", code=2, error="AUTOMATIC_MIGRATION")


def test_rows_that_a_database_cannot_hold_are_named(tarn, place):
    tarn("duckdb:a.duckdb", *options(["CREATE TABLE t (v VARIANT)", "CREATE TABLE e (v VARIANT)",
                                      "INSERT INTO t VALUES ({'a': 1}::VARIANT)", "DROP TABLE e"]))
    for kind in ("sqlite", "postgres"):
        target = place(kind, "second")
        tarn("copy", "a.duckdb", "to", target, code=1, error='Table "main"."t" has rows in the catalog')
    tarn("flush", "a.duckdb")
    for kind in ("sqlite", "postgres", "duckdb"):
        target = place(kind, "second")
        tarn("copy", "a.duckdb", "to", target, "--data", f"files_{kind}", error="")
        assert "1" in tarn(target, "-c", "SELECT v.a FROM t")
    tarn("sqlite:z.sqlite", *options(["CREATE TABLE t (l VARCHAR[])", "INSERT INTO t VALUES (['a' || chr(0)])"]))
    target = place("postgres", "second")
    tarn("copy", "z.sqlite", "to", target, code=1, error='Column "l"')
    tarn("check", target, code=2, error="no lake")


def test_ctrl_c_ends_a_copy_and_it_goes_on(tarn, terminal, tmp_path):
    tarn("a.sqlite", "-c", FILES, *options([f"CREATE TABLE t{i} AS SELECT range AS i FROM range(2000)" for i in range(60)]))
    running = terminal("copy", "a.sqlite", "b.sqlite", "--data", "b")
    while not (tmp_path / "b/.tarn-copy").exists():
        time.sleep(0.001)
    running.send("\x03")
    assert running.end() in (0, 130)
    if not (tmp_path / "b.sqlite").exists():
        tarn("copy", "a.sqlite", "b.sqlite", "--data", "b")
    assert "The lake is whole" in tarn("check", "b.sqlite")
