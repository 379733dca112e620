"""The output modes, with values that each of them could get wrong."""

import csv
import io
import json
import os
import subprocess

import pytest

from conftest import TARN

ODD = """SELECT 1::UTINYINT AS a, 170141183460469231731687303715884105727::HUGEINT AS huge, 1.50::DECIMAL(5,2) AS price,
  'nan'::DOUBLE AS nan, '-inf'::FLOAT AS inf, 1e300 AS big, E'a,"b"|c\\nd\\\\e`*<x>&\\x01' AS text, NULL AS none, '' AS empty,
  '\\x00\\xFF'::BLOB AS bytes, [1, NULL, 3] AS list, {'k': 'v"', 'n': {'z': [1.5]}} AS nested, MAP {'x': 1, 'y': NULL} AS map,
  E'{"a": [1,\\n2]}'::JSON AS doc, TIMESTAMPTZ '2020-01-01 00:00:00+00' AS moment, '日本語' AS wide, true AS yes,
  union_value(num := 2) AS un, 'x'::ENUM ('x', 'y') AS word, [1, 2]::INT[2] AS pair, row(1, 'r') AS unnamed, 5 AS a, 6 AS a_1"""


def test_json_is_valid_and_exact(tarn):
    text = tarn("--json", "-c", ODD)
    rows = json.loads(text, parse_int=str, parse_float=str)
    assert rows == [{
        "a": "1", "huge": "170141183460469231731687303715884105727", "price": "1.50", "nan": "NaN", "inf": "-Infinity",
        "big": "1e+300", "text": 'a,"b"|c\nd\\e`*<x>&\x01', "none": None, "empty": "", "bytes": "\\x00\\xFF",
        "list": ["1", None, "3"], "nested": {"k": 'v"', "n": {"z": ["1.5"]}}, "map": {"x": "1", "y": None},
        "doc": {"a": ["1", "2"]}, "moment": "2020-01-01 00:00:00+00", "wide": "日本語", "yes": True, "un": "2",
        "word": "x", "pair": ["1", "2"], "unnamed": ["1", "r"], "a_2": "5", "a_1": "6"}]


def test_json_lines_have_one_row_each(tarn):
    text = tarn("--jsonl", "-c", ODD, "-c", "SELECT range AS i FROM range(3)")
    lines = text.splitlines()
    assert [json.loads(line) for line in lines[1:]] == [{"i": 0}, {"i": 1}, {"i": 2}]
    assert json.loads(lines[0])["text"] == 'a,"b"|c\nd\\e`*<x>&\x01'


def test_json_of_no_rows(tarn):
    assert tarn("--json", "-c", "SELECT 1 WHERE false") == "[]\n"
    assert tarn("--jsonl", "-c", "SELECT 1 WHERE false") == ""


def test_json_of_nested_floats_and_times(tarn):
    text = tarn("--jsonl", "-c", "SELECT {'f': 'nan'::FLOAT, 't': TIME '01:02:03', 'd': 0.10::DECIMAL(3,2), 'b': '\\x01'::BLOB} AS s")
    assert text == '{"s":{"f":"NaN","t":"01:02:03","d":0.10,"b":"\\\\x01"}}\n'


def test_csv_reads_back(tarn):
    text = tarn("--csv", "-c", ODD)
    header, row = csv.reader(io.StringIO(text))
    values = dict(zip(header, row))
    assert values["text"] == 'a,"b"|c\nd\\e`*<x>&\x01'
    assert values["nested"] == "{'k': 'v\"', 'n': {'z': [1.5]}}"
    assert values["huge"] == "170141183460469231731687303715884105727"


def test_csv_tells_null_from_empty(tarn):
    assert tarn("--csv", "-c", "SELECT NULL AS n, '' AS e, ' x' AS s, 'y' AS y") == 'n,e,s,y\n,""," x",y\n'


def test_markdown(tarn):
    text = tarn("--markdown", "-c", "SELECT 1 AS \"a|b\", E'x|y\\nz*<b>`\\\\' AS t, NULL AS n")
    assert text == "| a\\|b | t | n |\n| ---: | --- | ---: |\n| 1 | x\\|y<br>z\\*&lt;b>\\`\\\\ | NULL |\n"


def test_box_pads_by_width_on_screen(tarn):
    assert tarn("-c", "SELECT '日本語' AS w UNION ALL SELECT 'abcdef' ORDER BY 1 DESC") == (
        "┌─────────┐\n│    w    │\n│ varchar │\n├─────────┤\n│ 日本語  │\n│ abcdef  │\n└─────────┘\n")


def test_box_is_whole_when_no_terminal_limits_it(tarn):
    text = tarn("-c", "SELECT range AS i, repeat('x', 300) AS x, repeat('y', 300) AS y FROM range(1000)")
    assert text.count("x" * 300) == 1000 and text.count("y" * 300) == 1000
    assert "1000 rows" in text


@pytest.mark.parametrize("mode", ["csv", "jsonl", "markdown"])
def test_big_results_stream(environment, mode, tmp_path):
    """Rows come while they are made: the first of more than could ever be held."""
    with subprocess.Popen([TARN, "--memory-limit", "200MB", f"--{mode}", "-c",
                           "SELECT range AS i, repeat('x', 100) AS x FROM range(1000000000000)"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path) as process:
        for _ in range(100000):
            assert len(process.stdout.readline()) > 1
        memory = open(f"/proc/{process.pid}/statm").read().split()
        assert int(memory[1]) * os.sysconf("SC_PAGE_SIZE") < 1_000_000_000
        process.stdout.close()
        # Whoever reads no more ends it, without a word.
        assert process.wait(60) == 141
        assert process.stderr.read() == b""


def test_statements_without_a_result_print_nothing(tarn):
    assert tarn("lake.db", "-c", "CREATE TABLE t (i INT); INSERT INTO t VALUES (1); SET threads = 2; BEGIN; "
                "CALL lake.set_commit_message('me', 'why'); INSERT INTO t VALUES (2); COMMIT") == ""


def test_mode_names(tarn):
    assert tarn("--mode", "csv", "-c", "SELECT 1 AS a") == "a\n1\n"
    assert tarn("--csv", "--json", "-c", "SELECT 1 AS a") == '[{"a":1}]\n'
    tarn("--mode", "html", code=2, error='no output mode "html"; there are box, csv, json, jsonl, markdown')


def test_plans_are_drawn(tarn):
    text = tarn("-c", "EXPLAIN SELECT 42 AS a")
    assert "\n│         PROJECTION        │\n" in text and "explain_key" not in text
    assert "PROJECTION" in tarn("--jsonl", "-c", "EXPLAIN (FORMAT json) SELECT 42 AS a")
