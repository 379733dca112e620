"""tarn flush, merge, rewrite, expire, cleanup, orphans, checkpoint and keep."""

import json
import signal
import subprocess

import pytest

from conftest import FILES, TARN

FILL = ["CREATE TABLE t (i INTEGER)", "INSERT INTO t VALUES (1), (2)", "INSERT INTO t VALUES (3)", FILES,
        "CREATE TABLE u AS SELECT range AS i FROM range(100)", "INSERT INTO u VALUES (100)", "INSERT INTO u VALUES (101)",
        "CREATE SCHEMA s", "CREATE TABLE s.u AS SELECT range AS i FROM range(100)", "DELETE FROM s.u WHERE i < 97"]


@pytest.fixture(params=["sqlite", "duckdb"])
def lake(request, tarn):
    tarn(f"{request.param}:a.lake", *[word for statement in FILL for word in ("-c", statement)])
    return "a.lake"


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def state(tarn, lake):
    rows = [tarn(lake, "--csv", "-c", f"SELECT rowid, i FROM {table} ORDER BY ALL") for table in ("t", "u", "s.u")]
    return rows, tarn("snapshots", lake, "--jsonl"), tarn("tables", lake, "--jsonl")


def test_dry_runs_change_nothing(tarn, lake, tmp_path):
    before = state(tarn, lake), sorted(tmp_path.rglob("*.parquet"))
    flush = lines(tarn("flush", lake, "--dry-run", "--jsonl"))
    assert flush == [{"schema_name": "main", "table_name": "t", "rows_flushed": 3}]
    merge = lines(tarn("merge", lake, "--dry-run", "--jsonl"))
    assert merge == [{"schema_name": "main", "table_name": "u", "files_processed": 3, "files_created": 1}]
    rewrite = lines(tarn("rewrite", lake, "--dry-run", "--jsonl"))
    assert rewrite == [{"schema_name": "s", "table_name": "u", "files_processed": 1, "files_created": 1}]
    assert len(lines(tarn("expire", lake, "--dry-run", "--versions", "0..2,4", "--jsonl"))) == 4
    assert tarn("cleanup", lake, "--dry-run", "--all", "--csv") == "path\n"
    assert tarn("orphans", lake, "--dry-run", "--all", "--csv") == "path\n"
    steps = lines(tarn("checkpoint", lake, "--dry-run", "--jsonl"))
    assert [(step["step"], step["table"], step["done"]) for step in steps] == [
        ("flush_inlined_data", "main.t", "3 rows"), ("merge_adjacent_files", "main.u", "3 files into 1"),
        ("rewrite_data_files", "s.u", "1 file into 1")]
    assert (state(tarn, lake), sorted(tmp_path.rglob("*.parquet"))) == before
    # What only looks needs no lake that can be written.
    (tmp_path / lake).chmod(0o444)
    tarn("checkpoint", lake, "--dry-run")


def test_each_step_alone(tarn, lake, tmp_path):
    rows, snapshots, _ = state(tarn, lake)
    assert lines(tarn("flush", lake, "--table", "t", "--schema", "main", "--jsonl"))[0]["rows_flushed"] == 3
    assert tarn("merge", lake, "--schema", "s", "--csv") == "schema_name,table_name,files_processed,files_created\n"
    assert tarn("merge", lake, "--max-file-size", "10", "--csv").count("\n") == 1
    assert lines(tarn("merge", lake, "--table", "u", "--max-file-size", "1MB", "--max-files", 1, "--jsonl"))[0]["files_processed"] == 3
    assert tarn("rewrite", lake, "--delete-threshold", "0.99", "--csv").count("\n") == 1
    assert lines(tarn("rewrite", lake, "--delete-threshold", "0.9", "--jsonl"))[0]["files_processed"] == 1
    assert state(tarn, lake)[0] == rows
    count = len(lines(tarn("snapshots", lake, "--jsonl")))
    assert len(lines(tarn("expire", lake, "--older-than", "0 seconds", "--jsonl"))) == count - 1
    assert tarn("cleanup", lake, "--older-than", "1 day", "--csv").count("\n") == 1
    assert len(tarn("cleanup", lake, "--all", "--csv").splitlines()) > 3
    stray = tmp_path / "a.lake.files/main/stray.parquet"
    stray.write_bytes(b"")
    assert tarn("orphans", lake, "--csv") == "path\n"
    assert "stray.parquet" in tarn("orphans", lake, "--all", "--csv")
    assert not stray.exists()
    assert state(tarn, lake)[0] == rows
    tarn("check", lake, "--deep")


def test_checkpoint(tarn, lake):
    rows = state(tarn, lake)[0]
    assert "3 files into 1" in tarn("checkpoint", lake)
    assert tarn("checkpoint", lake, "--jsonl") == ""
    assert state(tarn, lake)[0] == rows


def test_keep_once(tarn, lake):
    rows = state(tarn, lake)[0]
    log = tarn("keep", lake, "--once", "--budget", "1h").splitlines()
    assert [line.split(" ", 1)[1] for line in log] == [
        "flush_inlined_data main.t: 3 rows", "merge_adjacent_files main.u: 3 files into 1", "rewrite_data_files s.u: 1 file into 1"]
    assert log[0][10] == "T" and log[0][19] == "Z"
    assert tarn("keep", lake, "--once").endswith(" nothing to do\n")
    assert state(tarn, lake)[0] == rows


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_keep_goes_on_until_it_is_stopped(tarn, lake, environment, tmp_path, how):
    keeper = subprocess.Popen([TARN, "keep", "a.lake", "--every", "1s"], cwd=tmp_path, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    log = [keeper.stdout.readline() for _ in range(3)]
    while "nothing to do" not in log[-1]:
        log.append(keeper.stdout.readline())
    log.append(keeper.stdout.readline())
    keeper.send_signal(how)
    out, errors = keeper.communicate(timeout=60)
    assert keeper.returncode == 0 and errors == ""
    assert out.splitlines()[-1].endswith(" stopped")
    assert "nothing to do" in log[-1]


def test_keep_goes_on_after_an_error(tarn, lake, environment, tmp_path):
    """A step that fails is told, the others are done, and the round says so."""
    tarn(lake, "-c", "CALL lake.set_option('rewrite_delete_threshold', 0.5)")
    file = max((tmp_path / "a.lake.files/main/u").iterdir(), key=lambda path: path.stat().st_size)
    content = file.read_bytes()
    file.write_bytes(b"")
    log = tarn("keep", lake, "--once", code=1)
    assert " merge_adjacent_files failed: " in log and file.name in log
    assert "flush_inlined_data main.t: 3 rows" in log and "rewrite_data_files s.u: 1 file into 1" in log
    file.write_bytes(content)
    assert "merge_adjacent_files main.u: 3 files into 1" in tarn("keep", lake, "--once")


@pytest.mark.parametrize("arguments, code, sentence", [
    (["expire", "a.lake", "--older-than", "yesterdey"], 1, '"yesterdey" is neither a time'),
    (["expire", "a.lake", "--older-than", "30"], 1, "\"30\" has no unit; write '30 days'."),
    (["cleanup", "a.lake", "--older-than", "2"], 1, "\"2\" has no unit; write '2 days'."),
    (["orphans", "a.lake", "--older-than", "-2 days"], 1, '"-2 days" is an age, and cannot be negative'),
    (["restore", "a.lake", "--to-time", "5"], 1, "has no unit"),
    (["expire", "a.lake", "--older-than", "30", "days"], 2, "A value with spaces is quoted: --older-than '30 days'."),
    (["chekpoint", "a.lake"], 2, "did you mean: tarn checkpoint a.lake?"),
    (["a.lake", "checkpoint"], 2, "write: tarn checkpoint a.lake."),
    (["copy", "a.lake", "to", "postgres:dbname=a", "host=b"], 2, "quoted: 'postgres:dbname=a host=b'."),
    (["expire", "a.lake", "--versions", "3..1"], 2, '"3..1" is no list of snapshots'),
    (["expire", "a.lake", "--versions", "1", "--older-than", "1 day"], 2, "--older-than excludes --versions"),
    (["cleanup", "a.lake", "--all", "--older-than", "1 day"], 2, "excludes"),
    (["keep", "a.lake", "--every", "0"], 2, '"0" is no duration'),
    (["merge", "a.lake", "--table", "nope"], 1, "nope does not exist"),
    (["merge", "a.lake", "--min-file-size", "2MB", "--max-file-size", "1MB"], 1, "min_file_size must be less than max_file_size"),
    (["rewrite", "a.lake", "--delete-threshold", "2"], 1, "between 0 and 1"),
    (["merge", "b.lake"], 2, "b.lake"),
])
def test_mistakes(tarn, arguments, code, sentence):
    tarn("a.lake", "-c", "CREATE TABLE t (i INTEGER)")
    tarn(*arguments, code=code, error=sentence)


def test_help_is_no_lake(tarn, tmp_path):
    assert "tarn checkpoint LAKE" in tarn("help")
    assert "Usage: tarn restore LAKE" in tarn("help", "restore") and "Where the table is (default: main)" in tarn("restore", "--help")
    assert "Flush, expire, merge, rewrite, clean up, remove orphans" in tarn("--help")
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == []


def test_waiting_files_are_told_of(tarn, tmp_path):
    tarn("a.lake", "-c", FILES, "-c", "CREATE TABLE t AS SELECT range AS i FROM range(100)", "-c", "DROP TABLE t",
         "-c", "CALL lake.set_option('expire_older_than', '0 seconds')")
    told = tarn("checkpoint", "a.lake").splitlines()[-1]
    assert told.startswith("1 file waits for removal, until 20") and told.endswith("(2 days); `tarn cleanup LAKE --all` waits for nothing.")
    assert "1 file waits" in tarn("cleanup", "a.lake")
    assert tarn("cleanup", "a.lake", "--csv") == "path\n"
    assert "for removal" not in tarn("cleanup", "a.lake", "--all")
    assert list(tmp_path.rglob("*.parquet")) == []


@pytest.mark.parametrize("name, kind", [("x.ducklake", b"DUCK"), ("x.duckdb", b"DUCK"), ("x.sqlite", b"SQLi"), ("x", b"SQLi")])
def test_a_new_file_is_of_the_kind_that_its_name_says(tarn, tmp_path, name, kind):
    tarn("a.lake", "-c", "CREATE TABLE t (i INTEGER)")
    tarn(name, "-c", "CREATE TABLE t (i INTEGER)")
    tarn("copy", "a.lake", "to", f"copy.{name}", error="Note")
    for file in (name, f"copy.{name}"):
        assert kind in (tmp_path / file).read_bytes()[:16]


def test_upkeep_after_a_commit_fails_nothing(tarn, tmp_path):
    """A merge that cannot read a file is told in the log; the commit that it follows has happened."""
    tarn("a.lake", "-c", FILES, "-c", "CREATE TABLE t AS SELECT range AS i FROM range(10)", "-c",
         "CALL lake.set_option('tarn_merge_after_files', 2)")
    file, = (tmp_path / "a.lake.files/main/t").iterdir()
    content = file.read_bytes()
    file.write_bytes(b"")
    log = lines(tarn("a.lake", "--jsonl", "-c", FILES, "-c", "CALL enable_logging('TarnUpkeep')", "-c",
                     "INSERT INTO t SELECT 10 AS i", "-c", "FROM duckdb_logs_parsed('TarnUpkeep')"))
    assert log[-1]["step"] == "merge_adjacent_files" and log[-1]["done"].startswith("failed: ") and file.name in log[-1]["done"]
    file.write_bytes(content)
    assert tarn("a.lake", "--csv", "-c", "SELECT count(*) AS n FROM t") == "n\n11\n"
    # The commit that brings as many again makes it due once more.
    tarn("a.lake", "-c", FILES, "-c", "INSERT INTO t SELECT 11 AS i", "-c", "INSERT INTO t SELECT 12 AS i")
    assert lines(tarn("tables", "a.lake", "--jsonl"))[0]["files"] == 1
    tarn("check", "a.lake", "--deep")
