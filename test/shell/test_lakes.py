"""What a lake may be called, and what becomes of a path that is none."""

import json
import sqlite3

import pytest

from conftest import FILES


def rows(tarn, lake, sql, *options):
    return [tuple(row.values()) for row in map(json.loads, tarn(lake, "--jsonl", "-c", sql, *options).splitlines())]


def test_a_new_path_becomes_a_sqlite_catalog(tarn, tmp_path):
    tarn("new.db", "-c", FILES, "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert (tmp_path / "new.db").read_bytes().startswith(b"SQLite format 3\0")
    assert list((tmp_path / "new.db.files").rglob("*.parquet"))
    # The data folder is found from any other folder, too.
    (tmp_path / "elsewhere").mkdir()
    tarn("elsewhere/../new.db", "-c", "INSERT INTO t VALUES (2)")
    assert rows(tarn, tmp_path / "new.db", "SELECT sum(i) FROM t") == [(3,)]


def test_an_existing_file_is_known_by_its_content(tarn, tmp_path):
    tarn("duckdb:a.lake", "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert (tmp_path / "a.lake").read_bytes()[8:12] == b"DUCK"
    assert rows(tarn, "a.lake", "FROM t") == [(1,)]
    tarn("sqlite:b.lake", "-c", "CREATE TABLE t AS SELECT 2 AS i")
    assert rows(tarn, "b.lake", "FROM t") == [(2,)]


@pytest.mark.parametrize("call", ["sqlite:a.db", "ducklake:sqlite:a.db", "tarn:sqlite:a.db", "ducklake:a.db", "./a.db"])
def test_connection_strings(tarn, call):
    tarn("a.db", "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert rows(tarn, call, "FROM t") == [(1,)]


def test_paths_with_odd_names(tarn, tmp_path):
    for name in ("o'brien \"x\".db", "日本;--.db", "tables"):
        path = tmp_path / name
        tarn(path, "-c", FILES, "-c", "CREATE TABLE t AS SELECT 1 AS i")
        assert rows(tarn, path, "FROM t") == [(1,)]
        assert tarn("tables", path, "--csv").splitlines()[1].startswith("main,t,1,1,0,")


def test_what_is_no_lake(tarn, tmp_path):
    (tmp_path / "text").write_text("hello")
    tarn("text", "-c", "SELECT 1", code=2, error='"text" is no lake: it is neither a SQLite nor a DuckDB database.')
    tarn(".", "-c", "SELECT 1", code=2, error='"." is a folder; a lake is called by its catalog')
    tarn("no/such/a.db", "-c", "SELECT 1", code=2, error='The folder "no/such" does not exist')
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE mine (a)")
    other.close()
    tarn("other.db", "-c", "SELECT 1", code=2, error='There is a database at "other.db", but no lake in it.')
    with sqlite3.connect(tmp_path / "other.db") as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]
    other.close()


def test_an_empty_file_is_as_good_as_none(tarn, tmp_path):
    (tmp_path / "a.db").touch()
    tarn("a.db", "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert rows(tarn, "a.db", "FROM t") == [(1,)]


@pytest.mark.parametrize("arguments", [("tables",), ("snapshots",), ("info",), ("check",), ("--read-only",), ("--snapshot", "1"),
                                       ("--at", "2030-01-01")])
@pytest.mark.parametrize("lake", ["none.db", "sqlite:none.db", "duckdb:none.db"])
def test_looking_makes_no_lake(tarn, tmp_path, arguments, lake):
    tarn(*arguments, lake, code=2, error="There is no lake at \"none.db\"", stdin="")
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == []


def test_data_path(tarn, tmp_path):
    tarn("a.db", "--data-path", "files", "-c", FILES, "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert list((tmp_path / "files").rglob("*.parquet"))
    assert rows(tarn, "a.db", "FROM t") == [(1,)]
    tarn("a.db", "--data-path", "other", "-c", "FROM t", code=2, error='does not match existing data path')
    (tmp_path / "files").rename(tmp_path / "other")
    assert rows(tarn, "a.db", "FROM t", "--data-path", "other", "--override-data-path") == [(1,)]


def test_read_only(tarn):
    tarn("a.db", "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert rows(tarn, "a.db", "FROM t", "-r") == [(1,)]
    tarn("a.db", "--read-only", "-c", "INSERT INTO t VALUES (2)", code=1, error="read-only mode")


def test_earlier_snapshots(tarn):
    tarn("a.db", "-c", "CREATE TABLE t AS SELECT 1 AS i", "-c", "INSERT INTO t VALUES (2)")
    assert rows(tarn, "a.db", "SELECT count(*) FROM t", "--snapshot", 1) == [(1,)]
    (time,), = rows(tarn, "a.db", "SELECT snapshot_time FROM lake.snapshots() WHERE snapshot_id = 1")
    assert rows(tarn, "a.db", "SELECT count(*) FROM t", "--at", time) == [(1,)]
    tarn("a.db", "--snapshot", 9, "-c", "FROM t", code=2, error="No snapshot found at version 9")
    tarn("a.db", "--at", "2000-01-01", "-c", "FROM t", code=2, error="No snapshot found at timestamp 2000-01-01")
    tarn("a.db", "--at", "soon", "-c", "FROM t", code=2, error="soon")
    tarn("a.db", "--snapshot", 1, "-c", "INSERT INTO t VALUES (2)", code=1, error="read-only mode")
