"""tarn snapshots, tables, info and check."""

import importlib.util
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import FILES


@pytest.fixture(params=["sqlite", "duckdb"])
def lake(request, tarn):
    """A lake of two schemas; its DELETE-free history has four snapshots."""
    name = f"{request.param}:a.lake"
    tarn(name, "-c", FILES, "-c", "CREATE TABLE t AS SELECT range AS i FROM range(10)", "-c", "CREATE SCHEMA s", "-c",
         "BEGIN; CREATE TABLE s.u (v VARCHAR); CALL lake.set_commit_message('Ada', 'A table'); COMMIT;")
    return "a.lake"


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_tables(tarn, lake, tmp_path):
    size = sum(file.stat().st_size for file in tmp_path.rglob("*.parquet"))
    assert lines(tarn("tables", lake, "--jsonl")) == [
        {"schema": "main", "table": "t", "rows": 10, "files": 1, "delete_files": 0, "size_bytes": size, "table_id": 1},
        {"schema": "s", "table": "u", "rows": 0, "files": 0, "delete_files": 0, "size_bytes": 0, "table_id": 3}]
    assert [row["table"] for row in lines(tarn("tables", lake, "--jsonl", "--snapshot", 1))] == ["t"]
    assert tarn("tables", lake, "--csv", "--snapshot", 0) == "schema,table,rows,files,delete_files,size_bytes,table_id\n"
    assert "│ main    │ t " in tarn("tables", lake)


REFERENCE = """
import duckdb, sys
connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "extension_directory": "none"})
connection.execute(f"LOAD '{sys.argv[1]}'")
connection.execute("ATTACH 'ducklake:a.lake' AS l")
for statement in sys.argv[2:]:
    connection.execute(statement)
"""


def test_rows_are_those_that_live(tarn, tmp_path):
    """Deletes in files, deletes in the catalog and inlined rows, as the reference writes them, all count."""
    spec = importlib.util.find_spec("duckdb_extension_ducklake")
    if spec is None:
        pytest.skip("the reference client is not installed")
    extension, = Path(next(iter(spec.submodule_search_locations))).rglob("ducklake.duckdb_extension")
    subprocess.run([sys.executable, "-c", REFERENCE, extension, "CREATE TABLE l.t AS SELECT range AS i FROM range(1000)",
                    "DELETE FROM l.t WHERE i % 2 = 0", "DELETE FROM l.t WHERE i < 20", "INSERT INTO l.t VALUES (1), (2)"],
                   check=True, cwd=tmp_path)
    assert [row["rows"] for row in lines(tarn("tables", "a.lake", "--jsonl"))] == [492]
    for snapshot, rows in ((1, 1000), (2, 500), (3, 490), (4, 492)):
        assert lines(tarn("tables", "a.lake", "--jsonl", "--snapshot", snapshot))[0]["rows"] == rows
    assert lines(tarn("info", "a.lake", "--jsonl"))[0]["rows"] == 492


def test_snapshots(tarn, lake):
    found = lines(tarn("snapshots", lake, "--jsonl"))
    assert [row["snapshot_id"] for row in found] == [0, 1, 2, 3]
    assert (found[3]["author"], found[3]["commit_message"]) == ("Ada", "A table")
    assert found[3]["changes"] == {"tables_created": ["s.u"]}


def test_info(tarn, lake, tmp_path):
    found, = lines(tarn("info", lake, "--jsonl"))
    size = sum(file.stat().st_size for file in tmp_path.rglob("*.parquet"))
    kind = "sqlite" if (tmp_path / lake).read_bytes().startswith(b"SQLite") else "duckdb"
    assert found.pop("snapshot_time").startswith("20")
    assert found.pop("location").endswith("a.lake")
    assert found == {"catalog": kind, "format_version": "1.0", "data_path": f"{tmp_path}/a.lake.files/", "encrypted": False,
                     "snapshots": 4, "snapshot_id": 3, "tables": 2, "rows": 10, "files": 1, "size_bytes": size}
    assert "\nrows,10\n" in tarn("info", lake, "--csv")
    assert lines(tarn("info", lake, "--jsonl", "--snapshot", 0))[0]["tables"] == 0


@pytest.mark.parametrize("deep", [[], ["--deep"]])
def test_check_of_a_whole_lake(tarn, lake, deep):
    assert tarn("check", lake, *deep) == (
        "The lake is whole: 4 snapshots, 2 tables, 10 rows, 1 data file, 0 delete files.\n")


def test_check_changes_nothing(tarn, lake, tmp_path):
    def state():
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.rglob("*") if path.is_file()}

    before = state()
    for command in ("check", "tables", "snapshots", "info"):
        tarn(command, lake)
    assert state() == before


def test_check_finds_a_missing_file(tarn, lake, tmp_path):
    file, = tmp_path.rglob("*.parquet")
    file.unlink()
    text = tarn("check", lake, code=1)
    assert file.name in text and text.startswith("error: ")
    assert text.splitlines()[-1].startswith("1 error: 4 snapshots")


def test_check_tells_of_a_file_that_nobody_knows(tarn, lake, tmp_path):
    file, = tmp_path.rglob("*.parquet")
    file.with_name("stranger.parquet").write_bytes(file.read_bytes())
    text = tarn("check", lake)
    assert "stranger.parquet" in text and text.startswith("note: ")
    assert text.splitlines()[-1].startswith("The lake is whole, with 1 note: ")


def damage(path, statement):
    with sqlite3.connect(path) as catalog:
        assert catalog.execute(statement).rowcount > 0
    catalog.close()


@pytest.mark.parametrize("statement", [
    "UPDATE ducklake_data_file SET file_size_bytes = file_size_bytes + 1",
    "UPDATE ducklake_data_file SET record_count = 11",
    "UPDATE ducklake_table SET table_id = 99 WHERE table_name = 'u'",
])
def test_check_finds_wrong_rows(tarn, tmp_path, statement):
    tarn("a.lake", "-c", FILES, "-c", "CREATE TABLE t AS SELECT range AS i FROM range(10)", "-c", "CREATE TABLE u (i INT)")
    damage(tmp_path / "a.lake", statement)
    assert tarn("check", "a.lake", code=1).startswith("error: ")


WIDE = """CREATE TABLE t AS SELECT range AS i, 'v' || range AS s, range / 10 AS d, if(range = 3, NULL, range) AS n, 'nan'::DOUBLE AS f,
    DATE '2020-01-01' + range::INT AS day, [range] AS l, {'x': range} AS st, range::DECIMAL(9,2) AS dec, '\\x00'::BLOB AS b FROM range(10)"""


def test_check_reads_rows_when_deep(tarn, tmp_path):
    tarn("a.lake", "-c", FILES, "-c", WIDE, "-c", "CREATE TABLE \"o'dd \"\"name\" AS SELECT 1 AS \"c\"\"x\"")
    assert tarn("check", "a.lake", "--deep").startswith("The lake is whole: ")


@pytest.mark.parametrize("statement, finding", [
    ("SET max_value = '8' WHERE column_id = 1", "holds 9, which is above the maximum 8 in the catalog"),
    ("SET min_value = 'v1' WHERE column_id = 2", "holds v0, which is below the minimum v1 in the catalog"),
    ("SET null_count = 2 WHERE column_id = 4", "holds 1 NULLs, and 2 in the catalog"),
    ("SET contains_nan = 0 WHERE column_id = 5", "holds NaN, and none in the catalog"),
    ("SET max_value = '2020-01-09' WHERE column_id = 6", "holds 2020-01-10, which is above the maximum 2020-01-09"),
])
def test_deep_check_compares_rows(tarn, tmp_path, statement, finding):
    tarn("a.lake", "-c", FILES, "-c", WIDE)
    damage(tmp_path / "a.lake", "UPDATE ducklake_file_column_stats " + statement)
    assert finding in tarn("check", "a.lake", "--deep", code=1)


def test_deep_check_reads_encrypted_files(tarn, tmp_path):
    tarn("-c", "ATTACH 'ducklake:sqlite:a.lake' AS a (DATA_PATH 'files/', ENCRYPTED, DATA_INLINING_ROW_LIMIT 0)",
         "-c", "CREATE TABLE a.t AS SELECT range AS i, {'x': [range]} AS s FROM range(5000)", "-c", "DELETE FROM a.t WHERE i < 50",
         "-c", "ALTER TABLE a.t DROP COLUMN s", "-c", "INSERT INTO a.t SELECT range FROM range(100)")
    assert tarn("check", "a.lake", "--deep").startswith("The lake is whole: ")
    for file in tmp_path.rglob("*.parquet"):
        content = file.read_bytes()
        middle = 4 + len(content) // 8
        file.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1:])
    text = tarn("check", "a.lake", "--deep", code=1)
    assert text.count("error: Data file") == 2 and "it is encrypted, and was changed" in text


def test_deep_check_opens_files(tarn, tmp_path):
    tarn("a.lake", "-c", "CREATE TABLE t AS SELECT hash(range) AS h FROM range(100000)")
    file, = tmp_path.rglob("*.parquet")
    content = bytearray(file.read_bytes())
    content[1000:200000] = bytes(199000)
    file.write_bytes(content)
    assert tarn("check", "a.lake").startswith("The lake is whole")
    text = tarn("check", "a.lake", "--deep", code=1)
    assert text.startswith("error: ") and file.name in text


@pytest.mark.parametrize("value", ["[NULL]::STRUCT(x INT)[]", "MAP {1: NULL, 2: NULL}::MAP(INT, STRUCT(x INT))",
                                   "[{'k': 1, 's': NULL}, NULL]::STRUCT(k INT, s STRUCT(x INT))[]"])
def test_check_of_null_structs_in_lists(tarn, tmp_path, value):
    tarn("a.lake", "-c", FILES, "-c", f"CREATE TABLE t AS SELECT {value} AS m")
    assert tarn("check", "a.lake", "--deep").startswith("The lake is whole")
    rows = tarn("a.lake", "-c", "SELECT count(*) FROM __ducklake_metadata_lake.ducklake_file_column_stats "
                "WHERE value_count < 0", "--csv")
    assert rows.split()[-1] == "0"


@pytest.mark.parametrize("rows, finding", [
    ("(3), (999)", "deletes row 999 of a data file that has 100 rows"),
    ("(-1), (3)", "deletes row -1 of a data file that has 100 rows"),
    ("(3), (NULL)", "has a row without a position"),
])
def test_positions_that_the_data_file_does_not_have(tarn, tmp_path, rows, finding):
    replace_delete_file(tarn, tmp_path, rows)
    assert finding in tarn("check", "a.lake", "--deep", code=1)
    tarn("a.lake", "-c", "FROM t", code=1, error=finding)
    tarn("a.lake", "-c", "DELETE FROM t WHERE i < 10", code=1, error=finding)
    tarn("a.lake", "-c", "FROM table_deletions('t', now() - INTERVAL 1 DAY, now())", code=1, error=finding)
    assert "100" in tarn("a.lake", "-c", "SELECT count(i) FROM t AT (VERSION => 1)", "--csv")


@pytest.mark.parametrize("rows, finding", [
    ("(3), (3)", "it names position 3 twice"),
    ("(4), (3)", "its positions are out of order at 3"),
])
def test_positions_that_are_told_wrongly(tarn, tmp_path, rows, finding):
    replace_delete_file(tarn, tmp_path, rows)
    assert finding in tarn("check", "a.lake", "--deep", code=1)


def replace_delete_file(tarn, folder, rows):
    """A lake with a table of 100 rows, whose delete file of two rows is replaced by one of these."""
    tarn("a.lake", "-c", FILES,
         "-c", "CREATE TABLE t AS SELECT range AS i FROM range(100)", "-c", "DELETE FROM t WHERE i IN (3, 5)")
    file, = folder.rglob("*-delete.parquet")
    tarn("-c", f"COPY (SELECT 'x' AS file_path, pos::BIGINT AS pos FROM (VALUES {rows}) r(pos)) TO '{file}' "
         "(FORMAT parquet, FIELD_IDS {file_path: 2147483646, pos: 2147483645})")
    footer = int.from_bytes(file.read_bytes()[-8:-4], "little")
    damage(folder / "a.lake",
           f"UPDATE ducklake_delete_file SET file_size_bytes = {file.stat().st_size}, footer_size = {footer}")


def test_check_that_cannot_be_done(tarn, tmp_path):
    (tmp_path / "text").write_text("hello")
    tarn("check", "text", code=2, error="is no lake")
    tarn("a.lake", "-c", "CREATE TABLE t (i INT)")
    damage(tmp_path / "a.lake", "UPDATE ducklake_metadata SET value = '9.9' WHERE key = 'version'")
    tarn("check", "a.lake", code=2, error="9.9")


def test_repair(tarn, tmp_path):
    """A dry run tells and changes nothing; the repair tells, and checks again; then nothing is left to do."""
    tarn("a.lake", "-c", FILES, "-c", "CREATE TABLE t AS SELECT range AS i FROM range(10)")
    damage(tmp_path / "a.lake", "UPDATE ducklake_data_file SET file_size_bytes = file_size_bytes + 1")
    damage(tmp_path / "a.lake", "UPDATE ducklake_table_stats SET next_row_id = 1")
    catalog = (tmp_path / "a.lake").read_bytes()
    assert "advice: `tarn check LAKE --repair --dry-run` tells" in tarn("check", "a.lake", code=1)
    steps = ["Notes what data file 0 (", "Raises the next row id of table \"main\".\"t\" from 1 to 10."]
    text = tarn("check", "a.lake", "--repair", "--dry-run", code=1).splitlines()
    assert [line.startswith(f"would repair: {step}") for line, step in zip(text, steps)] == [True, True]
    assert text[-1].startswith("2 errors: ")
    assert (tmp_path / "a.lake").read_bytes() == catalog
    text = tarn("check", "a.lake", "--repair").splitlines()
    assert [line.startswith(f"repaired: {step}") for line, step in zip(text, steps)] == [True, True]
    assert text[2] == "The repairs are snapshot 2."
    assert text[3].startswith("The lake is whole: 3 snapshots, ")
    assert tarn("check", "a.lake", "--repair", "--deep").splitlines()[0] == "There is nothing that could be repaired."


def test_repair_tells_what_it_cannot(tarn, tmp_path):
    tarn("a.lake", "-c", FILES, "-c", "CREATE TABLE t AS SELECT range AS i FROM range(10)", "-c",
         "CREATE TABLE u AS SELECT range AS i FROM range(10)")
    file, = (tmp_path / "a.lake.files/main/t").iterdir()
    file.unlink()
    damage(tmp_path / "a.lake", "UPDATE ducklake_table_stats SET next_row_id = 1 WHERE table_id = 2")
    text = tarn("check", "a.lake", "--repair", code=1)
    assert text.startswith("repaired: Raises the next row id of table \"main\".\"u\"")
    assert f"error: Data file 0 (\"{file.name}\") of table \"main\".\"t\" is missing" in text
    assert "advice: Bring it back from a backup" in text


def test_repair_needs_a_lake_that_can_be_written(tarn, tmp_path):
    tarn("a.lake", "-c", FILES, "-c", "CREATE TABLE t AS SELECT range AS i FROM range(10)")
    damage(tmp_path / "a.lake", "UPDATE ducklake_table_stats SET next_row_id = 1")
    tarn("check", "a.lake", "--dry-run", code=2, error="--dry-run requires --repair")
    if os.geteuid() == 0:
        return  # nothing is read-only for root
    (tmp_path / "a.lake").chmod(0o444)
    tarn("check", "a.lake", "--repair", code=2, error="--dry-run tells what would be done")
    assert "would repair: " in tarn("check", "a.lake", "--repair", "--dry-run", code=1)
