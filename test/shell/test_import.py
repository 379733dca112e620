"""tarn import: CSV, JSON and Parquet files become tables, all of them or none."""

import gzip
import json
import os

import pytest


def rows(tarn, sql, lake="a.lake"):
    return [list(row.values()) for row in map(json.loads, tarn(lake, "--jsonl", "-c", sql).splitlines())]


@pytest.fixture
def files(tmp_path, tarn):
    (tmp_path / "orders.csv").write_text("id,customer,amount\n1,ada,12.50\n2,bob,\n")
    (tmp_path / "people.json").write_text('[{"name": "ada", "tags": ["x", "y"]}, {"name": "bob", "born": "1970-01-02"}]')
    (tmp_path / "events.jsonl").write_text('{"moment": "2026-01-02 03:04:05", "n": 1}\n{"moment": "2026-01-02 03:04:06", "n": 2}\n')
    tarn("-c", "COPY (SELECT range AS id, 'n' || range AS name FROM range(1000)) TO 'numbers.parquet'",
         "-c", "COPY (SELECT range AS id, range % 2 AS part FROM range(10)) TO 'parts' (FORMAT parquet, PARTITION_BY (part))")
    return tmp_path


def test_each_file_is_a_table(tarn, files):
    out = tarn("import", "a.lake", "orders.csv", "people.json", "events.jsonl", "numbers.parquet", "--csv")
    assert out == ("schema,table,action,files,rows\nmain,orders,create,1,2\nmain,people,create,1,2\nmain,events,create,1,2\n"
                   "main,numbers,create,1,1000\n")
    assert rows(tarn, "SELECT id, customer, amount FROM orders ORDER BY id") == [[1, "ada", 12.5], [2, "bob", None]]
    assert rows(tarn, "SELECT tags, born FROM people ORDER BY name") == [[["x", "y"], None], [None, "1970-01-02"]]
    assert rows(tarn, "SELECT typeof(moment), sum(n) FROM events GROUP BY ALL") == [["TIMESTAMP", 3]]
    assert rows(tarn, "SELECT count(*), max(snapshot_id) FROM lake.snapshots()") == [[2, 1]]
    assert tarn("check", "a.lake", "--deep").startswith("The lake is whole")


def test_one_table_of_many_files(tarn, files):
    (files / "b.csv").write_text("id,more\n3,x\n")
    (files / "odd [1].csv").write_text("id\n4\n")
    (files / "c.tsv.gz").write_bytes(gzip.compress(b"customer\tid\neve\t5\n"))
    tarn("import", "a.lake", "--table", "all of it", "--schema", "s", "orders.csv", "b.csv", "odd [1].csv", "c.tsv.gz",
         "events.jsonl", "numb*.parquet", "orders.csv")
    assert rows(tarn, 'SELECT count(*), sum(id), count(more), count(customer), count(n) FROM s."all of it"') == [
        [1007, 1 + 2 + 3 + 4 + 5 + 499500, 1, 3, 2]]


def test_a_folder_is_one_table(tarn, files):
    (files / "parts" / "README").write_text("not data")
    assert "parts,create,2,10" in tarn("import", "a.lake", "parts/", "--csv")
    assert rows(tarn, "SELECT count(*), sum(id), sum(part) FROM parts") == [[10, 45, 5]]


def test_append_is_asked_for(tarn, files):
    tarn("import", "a.lake", "orders.csv")
    tarn("import", "a.lake", "orders.csv", "numbers.parquet", code=1, error='There is a table "main"."orders" already')
    assert rows(tarn, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'numbers'") == [[0]]
    out = tarn("import", "a.lake", "--append", "orders.csv", "numbers.parquet", "--csv")
    assert "orders,append,1,2\n" in out and "numbers,create,1,1000\n" in out
    assert rows(tarn, "SELECT count(*) FROM orders") == [[4]]


def test_all_or_nothing(tarn, files):
    (files / "other.csv").write_text("id,unknown\n1,x\n")
    tarn("import", "a.lake", "orders.csv", "--table", "t")
    before = rows(tarn, "SELECT count(*) FROM lake.snapshots()")
    tarn("import", "a.lake", "--append", "numbers.parquet", "--table", "new")
    tarn("import", "a.lake", "--append", "other.csv", "--table", "t", code=1, error="unknown")
    tarn("a.lake", "-c", "CREATE VIEW orders AS SELECT 1")
    tarn("import", "a.lake", "people.json", "orders.csv", code=1, error="orders")
    assert rows(tarn, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'people'") == [[0]]
    assert rows(tarn, "SELECT count(*) FROM lake.snapshots()")[0][0] == before[0][0] + 2


def test_dry_run(tarn, files):
    out = tarn("import", "a.lake", "orders.csv", "numbers.parquet", "--dry-run", "--csv")
    assert out == ('schema,table,action,files,columns\n'
                   'main,orders,create,1,"""id"" BIGINT, ""customer"" VARCHAR, ""amount"" DOUBLE"\n'
                   'main,numbers,create,1,"""id"" BIGINT, ""name"" VARCHAR"\n')
    assert not (files / "a.lake").exists()
    tarn("import", "a.lake", "orders.csv")
    before = {path: path.read_bytes() for path in files.rglob("*") if path.is_file()}
    assert "append" in tarn("import", "a.lake", "orders.csv", "--append", "--dry-run")
    tarn("import", "a.lake", "orders.csv", "--dry-run", code=1, error="already")
    assert before == {path: path.read_bytes() for path in files.rglob("*") if path.is_file()}


@pytest.mark.parametrize("arguments, code, error", [
    (["missing.csv"], 2, 'There is no file "missing.csv"'),
    (["*.xml"], 2, 'There is no file "*.xml"'),
    (["empty"], 2, 'There is no CSV, JSON or Parquet file in the folder "empty"'),
    (["a.dat"], 2, "give --format csv, json or parquet"),
    (["a.dat", "--format", "xml"], 2, 'There is no format "xml"'),
    (["broken.parquet"], 1, "broken.parquet"),
    ([], 2, "PATH"),
])
def test_what_cannot_be_imported_makes_no_lake(tarn, files, arguments, code, error):
    (files / "empty").mkdir()
    (files / "a.dat").write_text("id\n1\n")
    (files / "broken.parquet").write_text("not parquet")
    tarn("import", "a.lake", *arguments, code=code, error=error)
    assert not (files / "a.lake").exists()


def test_an_import_that_fails_late_says_that_the_lake_is_empty(tarn, files):
    (files / "late.csv").write_text("id\n" + "1\n" * 30000 + "x\n")
    tarn("import", "a.lake", "late.csv", code=1, error="late.csv")
    assert (files / "a.lake").exists()
    tarn("import", "a.lake", "late.csv", code=1, error="has nothing in it: the import can be run again")
    assert tarn("check", "a.lake").startswith("The lake is whole: 1 snapshot, 0 tables")
    assert not list(files.rglob("a.lake*/**/late/*.parquet"))
    tarn("import", "a.lake", "orders.csv")
    tarn("import", "a.lake", "late.csv", code=1, error=r"late.csv")
    assert rows(tarn, "SELECT count(*) FROM orders") == [[2]]


def test_progress_is_drawn_and_wiped_off(tarn, terminal, files):
    tarn("-c", "COPY (SELECT range AS id, hash(range) AS h FROM range(2000000)) TO 'many.csv'")
    for number in range(15):
        os.link(files / "many.csv", files / f"many{number}.csv")
    shell = terminal("import", "a.lake", "many*.csv", "--table", "many")
    shell.expect("% [█░]{40}", seconds=60)
    shell.send("\x03")
    assert shell.end() == 130
    assert "\r\x1b[K" in shell.seen and "has nothing in it" in shell.seen
    assert tarn("check", "a.lake").startswith("The lake is whole: 1 snapshot, 0 tables")


def test_the_format_can_be_told(tarn, files):
    (files / "a.dat").write_text("id\n1\n2\n")
    tarn("import", "a.lake", "a.dat", "--format", "CSV")
    assert rows(tarn, "SELECT sum(id) FROM a") == [[3]]


def test_lakes_that_cannot_be_opened(tarn, files):
    (files / "text.txt").write_text("no lake")
    tarn("import", "text.txt", "orders.csv", code=2, error="text.txt")
    tarn("import", "no/such/folder/a.lake", "orders.csv", code=2, error="no/such/folder")
