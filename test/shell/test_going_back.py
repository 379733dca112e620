"""tarn restore and tarn undrop."""

import json

import pytest


@pytest.fixture(params=["sqlite", "duckdb"])
def lake(request, tarn):
    statements = ["CREATE TABLE t AS SELECT range AS i FROM range(100)", "CREATE TABLE u (i INTEGER)", "DELETE FROM t WHERE i < 50", "DROP TABLE u"]
    tarn(f"{request.param}:a.lake", *[word for statement in statements for word in ("-c", statement)])
    return "a.lake"


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def changes(text):
    return [(row["schema_name"], row["table_name"], row["change"], row["version"]) for row in lines(text)]


def test_a_lake_goes_back(tarn, lake):
    before = tarn("snapshots", lake)
    expected = [("main", "t", "changed", 2), ("main", "u", "brought back", 2)]
    assert changes(tarn("restore", lake, "--to", 2, "--dry-run", "--jsonl")) == expected
    assert tarn("snapshots", lake) == before
    assert changes(tarn("restore", lake, "--to", 2, "--jsonl")) == expected
    assert tarn(lake, "--csv", "-c", "SELECT (SELECT count(*) FROM t) AS t, (SELECT count(*) FROM u) AS u") == "t,u\n100,0\n"
    assert tarn("restore", lake, "--to-time", "0 seconds", "--jsonl") == "", "that is the newest snapshot"
    tarn("check", lake, "--deep")


def test_a_table_goes_back(tarn, lake):
    assert changes(tarn("restore", lake, "--to", 1, "--table", "t", "--schema", "main", "--jsonl")) == [("main", "t", "changed", 1)]
    assert changes(tarn("undrop", lake, "--table", "u", "--jsonl")) == [("main", "u", "brought back", 3)]
    tarn(lake, "-c", "DROP TABLE u")
    assert changes(tarn("undrop", lake, "--table", "u", "--to", 2, "--jsonl")) == [("main", "u", "brought back", 2)]
    tarn("check", lake, "--deep")


@pytest.mark.parametrize("arguments, code, sentence", [
    (["restore", "a.lake"], 2, "tarn restore needs --to N, the snapshot to go back to, or --to-time WHEN"),
    (["restore", "a.lake", "--to", "99"], 1, "No snapshot found at version 99: the oldest that is kept is 0 of 20"),
    (["restore", "a.lake", "--to", "1", "--to-time", "1 day"], 2, "excludes"),
    (["restore", "a.lake", "--to", "1", "--schema", "main"], 1, "A schema alone cannot be restored"),
    (["undrop", "a.lake"], 2, "--table is required"),
    (["undrop", "a.lake", "--table", "t"], 1, 'No table with name "t" has been dropped'),
])
def test_mistakes(tarn, arguments, code, sentence):
    tarn("a.lake", "-c", "CREATE TABLE t (i INTEGER)")
    tarn(*arguments, code=code, error=sentence)
