"""What runs, in which order, where errors go and how the command ends."""

import os
import signal
import subprocess
import time

import pytest

from conftest import TARN


def test_scripts_run_in_the_order_given(tarn, tmp_path):
    (tmp_path / "f.sql").write_text("SELECT 'file';\n")
    text = tarn("--jsonl", "-c", "SELECT 1 AS c", "-f", "f.sql", "-", "-c", "SELECT 2 AS c", stdin="SELECT 'stdin' AS c")
    assert text.splitlines() == ['{"c":1}', """{"'file'":"file"}""", '{"c":"stdin"}', '{"c":2}']
    text = tarn("--csv", "-f", "-", "-c", "SELECT 2 AS c", stdin="SELECT 1 AS c")
    assert text == "c\n1\nc\n2\n"


def test_standard_input_runs_by_itself(tarn):
    assert tarn("--csv", stdin="SELECT 1 AS a;\nSELECT\n 2 AS b\n;SELECT 3 AS c") == "a\n1\nb\n2\nc\n3\n"
    assert tarn("lake.db", "--csv", stdin="CREATE TABLE t AS SELECT 7 AS i; FROM t;") == "i\n7\n"
    assert tarn(stdin="") == ""


def test_standard_input_is_left_alone_when_there_is_other_work(tarn):
    assert tarn("--csv", "-c", "SELECT 1 AS a", stdin="SELECT 2 AS b") == "a\n1\n"


def test_an_error_stops_everything(tarn, tmp_path):
    (tmp_path / "f.sql").write_text("SELECT 'f';")
    out = tarn("--csv", "-c", "SELECT 1 AS a; SELECT nope; SELECT 3 AS c", "-f", "f.sql", code=1, error='"nope" was not found')
    assert out == "a\n1\n"
    assert tarn("--csv", code=1, error="Parser Error", stdin="SELECT 1 AS a; SELEC 2; SELECT 3") == "a\n1\n"


def test_errors_say_error_once(tarn, environment, tmp_path):
    done = subprocess.run([TARN, "-c", "SELECT nope"], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr.startswith('Binder Error: Referenced column "nope"')
    assert "LINE 1: SELECT nope" in done.stderr
    done = subprocess.run([TARN, "nope.db", "-r"], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr.startswith("Error: There is no lake at")


@pytest.mark.parametrize("sql, rows", [
    ("SELECT ';' AS a; SELECT 2 AS a", 2),
    ("SELECT 1 AS \"a;b\"; -- a ; comment\nSELECT 2 AS a", 2),
    ("SELECT $$a;b$$ AS a; SELECT $x$ $$ ; $x$ AS a;", 2),
    ("/* a ; /* nested ; */ ; */ SELECT 1 AS a;; ;", 1),
    (r"SELECT E'\';' AS a; SELECT '\' AS a", 2),
    ("SELECT 'it''s; fine' AS a", 1),
    ("SELECT 1 AS a$b; SELECT 2 AS a", 2),
    ("-- nothing\n/* at all */", 0),
])
def test_semicolons_end_statements_only_where_they_may(tarn, sql, rows):
    assert len(tarn("--jsonl", "-c", sql).splitlines()) == rows
    assert len(tarn("--jsonl", stdin=sql).splitlines()) == rows


def test_what_never_ends_is_an_error(tarn):
    tarn("-c", "SELECT 'open", code=1, error="unterminated quoted string")
    tarn(stdin="SELECT 1 /* open", code=1, error="Parser Error")


def test_dot_commands_in_scripts(tarn, tmp_path):
    (tmp_path / "f.sql").write_text("SELECT 1 AS a;\n")
    text = tarn(stdin=".mode jsonl\n.read f.sql\n-- a comment\n.mode\nSELECT 1 +\n.5 AS b;\n.quit\nSELECT 3;\n")
    assert text == '{"a":1}\njsonl\n{"b":1.5}\n'
    tarn("-c", ".nosuch", "-c", "SELECT 1", code=1, error='There is no command ".nosuch"; .help lists those that there are.')
    tarn("-c", ".read nofile.sql", code=1, error='The file "nofile.sql" cannot be read: No such file or directory.')
    (tmp_path / "loop.sql").write_text(".read loop.sql\n")
    tarn("-f", "loop.sql", code=1, error="read from within itself")
    assert ".tables" in tarn("-c", ".help")


def test_tables_and_schema(tarn):
    sql = "CREATE TABLE flights (i INT NOT NULL, s VARCHAR); CREATE VIEW fast AS SELECT * FROM flights; CREATE TABLE planes (p INT)"
    tarn("lake.db", "-c", sql)
    assert tarn("lake.db", "--csv", "-c", ".tables") == "schema,name,kind\nmain,fast,view\nmain,flights,table\nmain,planes,table\n"
    assert tarn("lake.db", "--csv", "-c", ".tables f*") == "schema,name,kind\nmain,fast,view\nmain,flights,table\n"
    assert tarn("lake.db", "-c", ".schema flights") == "CREATE TABLE flights(i INTEGER NOT NULL, s VARCHAR);\n"
    assert tarn("lake.db", "-c", ".schema").count(";") == 3
    tarn("lake.db", "-c", ".schema nope", code=1, error='no table and no view "nope"')


def test_a_file_that_is_missing_stops_before_anything_runs(tarn):
    tarn("lake.db", "-c", "CREATE TABLE t (i INT)", "-f", "nofile.sql", code=2, error='"nofile.sql" cannot be read')
    tarn("tables", "lake.db", code=2, error="There is no lake")


@pytest.mark.parametrize("arguments", [
    ["--nope"], ["a.db", "b.db"], [""], ["--threads", "0"], ["--threads", "x"], ["--memory-limit", "lots"], ["-c"],
    ["tables"], ["tables", "a.db", "b.db"], ["--snapshot", "-1"], ["--snapshot", "1", "--at", "2020-01-01", "a.db"],
])
def test_misuse_ends_with_two(tarn, arguments):
    assert tarn(*arguments, code=2, error="rror: ") == ""


def test_help_and_version(tarn):
    text = tarn("--help")
    for word in ("tarn LAKE", "--command", "--json", "--snapshot", "check", "Exit codes"):
        assert word in text
    assert tarn("--version").startswith("tarn ")
    assert "--deep" in tarn("check", "--help")


def test_resources(tarn):
    assert tarn("--threads", 3, "--csv", "-c", "SELECT current_setting('threads') AS t") == "t\n3\n"
    assert "95.3 MiB" in tarn("--memory-limit", "100MB", "-c", "SELECT current_setting('memory_limit')")


def test_timer_speaks_on_stderr(tarn):
    assert tarn("--timer", "--csv", "-c", "SELECT 1 AS a", error=" s\n") == "a\n1\n"
    assert tarn("--csv", "-c", ".timer on", "-c", "SELECT 1 AS a", error=" s\n") == "a\n1\n"


def test_an_open_transaction_is_rolled_back_aloud(tarn):
    tarn("lake.db", "-c", "BEGIN; CREATE TABLE t (i INT)", error="still open: what it did is rolled back")
    assert tarn("tables", "lake.db", "--csv") == "schema,table,rows,files,delete_files,size_bytes,table_id\n"


def test_output_that_cannot_be_written(environment, tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run([TARN, "-c", "SELECT 1"], env=environment, stdout=full, stderr=subprocess.PIPE, text=True,
                              cwd=tmp_path)
    assert done.returncode == 1
    assert "Could not write the output: No space left on device." in done.stderr


def test_no_colour_and_no_bar_without_a_terminal(environment, tmp_path):
    done = subprocess.run([TARN, "-c", "SELECT 1", "-c", "SELECT nope"], env=environment, capture_output=True, cwd=tmp_path)
    assert b"\x1b" not in done.stdout + done.stderr


def test_ctrl_c_cancels_a_script(environment, tmp_path):
    process = subprocess.Popen([TARN, "lake.db", "-c", "CREATE TABLE t (i INT)", "-c",
                                "SELECT count(*) FROM range(1000000000000) r WHERE hash(range) = 1", "-c", "CREATE TABLE u (i INT)"],
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    deadline = time.monotonic() + 30
    while not (tmp_path / "lake.db").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Cancelled." in stderr


def test_ctrl_c_ends_waiting_for_input(environment, tmp_path):
    process = subprocess.Popen([TARN, "lake.db"], env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
    process.stdin.write(b"BEGIN; CREATE TABLE t AS FROM range(100000);\n")
    process.stdin.flush()
    files = tmp_path / "lake.db.files"
    deadline = time.monotonic() + 30
    while not list(files.rglob("*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    # Rolled back in order: its file is gone.
    assert not list(files.rglob("*.parquet"))
