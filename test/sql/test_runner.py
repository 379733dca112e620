"""Tests of the runner itself, in DuckDB alone: what must fail is reported as failed, at the right line.

    python3 -m unittest discover -s test/sql -p 'test_*.py'
"""

import os
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))

import run  # noqa: E402
from harness import clients, duck, execute, sqllogic  # noqa: E402


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def read(self, text):
        path = self.folder / "one.test"
        path.write_text("# something holds\n\n" + textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return sqllogic.read(path)

    def run_text(self, text, client="plain", catalog="sqlite", strict=True):
        test = self.read(text)
        lake = clients.Lake("ducklake:x", f"{self.folder}/data/", "x", str(self.folder))
        runner = execute.Runner(clients.Client("plain", catalog), lake, strict)
        runner._client.name = client
        try:
            runner.run(test)
        finally:
            runner.close()

    def assert_fails(self, text, message, **options):
        with self.assertRaises(execute.Failure) as caught:
            self.run_text(text, **options)
        self.assertIn(message, str(caught.exception))

    def test_right_answers_pass(self):
        self.run_text("""
            statement ok
            CREATE TABLE t AS SELECT * FROM (VALUES (1, 'a', true), (2, NULL, false), (3, '', NULL)) v(i, s, b)

            query ITT
            SELECT * FROM t ORDER BY i
            ----
            1\ta\ttrue
            2\tNULL\t0
            3\t(empty)\tNULL

            query I rowsort
            SELECT i FROM t ORDER BY i DESC
            ----
            1
            2
            3

            query IT valuesort
            SELECT i, s FROM t WHERE i = 1
            ----
            1
            a

            query II
            SELECT 1, 2
            ----
            1
            2

            query I nosort same
            SELECT 5

            query I nosort same
            SELECT 2 + 3

            query I
            SELECT i FROM t WHERE i > 7
            ----
            """)

    def test_values_print_as_duckdb_prints_them(self):
        self.run_text("""
            query TTTTTT
            SELECT 'infinity'::DATE, '2020-01-01 00:00:00.123456789'::TIMESTAMP_NS, INTERVAL '3 months 2 days', 0.1::FLOAT, {'a': [1, NULL]}, TIMESTAMPTZ '2020-01-01 00:00:00+00'
            ----
            infinity\t2020-01-01 00:00:00.123456789\t3 months 2 days\t0.1\t{'a': [1, NULL]}\t2020-01-01 00:00:00+00

            query R
            SELECT 2.0::DOUBLE
            ----
            2

            query T
            SELECT E'two\\nlines'
            ----
            <REGEX>:two.*
            """)

    def test_wrong_value_fails(self):
        self.assert_fails("""
            query I
            SELECT 1
            ----
            2
            """, "line 3: another result")

    def test_missing_row_fails(self):
        self.assert_fails("""
            query I
            SELECT * FROM range(2)
            ----
            0
            """, "actual 2 rows")

    def test_surplus_row_fails(self):
        self.assert_fails("""
            query I
            SELECT 0
            ----
            0
            1
            """, "expected 2 rows")

    def test_wrong_order_fails_without_sort(self):
        self.assert_fails("""
            query I
            SELECT unnest([2, 1])
            ----
            1
            2
            """, "another result")

    def test_text_is_not_compared_as_number(self):
        self.assert_fails("""
            query T
            SELECT '2.0'
            ----
            2
            """, "another result")

    def test_null_is_not_empty_text(self):
        self.assert_fails("""
            query T
            SELECT NULL::VARCHAR
            ----
            (empty)
            """, "another result")

    def test_column_count_counts(self):
        self.assert_fails("""
            query I
            SELECT 1, 2
            ----
            1\t2
            """, "2 columns")

    def test_regex_matches_all_of_the_value(self):
        self.assert_fails("""
            query T
            SELECT 'abc'
            ----
            <REGEX>:ab
            """, "another result")

    def test_labels_compare_results(self):
        self.assert_fails("""
            query I nosort x
            SELECT 1

            query I nosort x
            SELECT 2
            """, "labelled x")

    def test_failing_statement_fails(self):
        self.assert_fails("""
            statement ok
            SELECT * FROM nowhere
            """, "line 3: failed")

    def test_expected_error_must_come(self):
        self.assert_fails("""
            statement error
            SELECT 1
            ----
            x
            """, "succeeded")

    def test_expected_error_must_be_this_one(self):
        self.assert_fails("""
            statement error
            SELECT * FROM nowhere
            ----
            not in this message
            """, "another error")

    def test_maybe_takes_both(self):
        self.run_text("""
            statement maybe
            SELECT * FROM nowhere

            statement maybe
            SELECT 1
            """)

    def test_loops_and_variables(self):
        self.run_text("""
            statement ok
            CREATE TABLE t (i INTEGER, s VARCHAR)

            loop i 0 2

            foreach s a b

            statement ok
            INSERT INTO t VALUES ({i}, '${s}')

            endloop

            endloop

            query T
            SELECT list(i || s ORDER BY i, s) FROM t
            ----
            [0a, 0b, 1a, 1b]
            """)

    def test_concurrentloop_reports_a_failing_round(self):
        self.assert_fails("""
            concurrentloop i 0 4

            query I
            SELECT {i} // 3
            ----
            0

            endloop
            """, "another result")

    def test_connections_are_apart(self):
        self.run_text("""
            statement ok one
            CREATE TEMP TABLE t (i INTEGER)

            statement error two
            SELECT * FROM t
            ----
            does not exist
            """)

    def test_conditions(self):
        text = """
            onlyif tarn
            statement ok
            SELECT * FROM nowhere

            skipif sqlite
            statement ok
            SELECT * FROM nowhere
            """
        self.run_text(text, client="reference")
        self.assert_fails(text, "line 4", client="tarn")
        self.assert_fails(text, "line 8", client="reference", catalog="duckdb")

    def test_restart_forgets(self):
        self.run_text("""
            statement ok
            CREATE TABLE t (i INTEGER)

            restart

            statement error
            SELECT * FROM t
            ----
            does not exist
            """)

    def test_verdicts_of_the_reference(self):
        test = self.read("# reference: fails (sqlite) — locks\n# check: off\n")
        self.assertEqual(test.reference_verdict("sqlite"), "fails")
        self.assertEqual(test.reference_verdict("duckdb"), "passes")
        self.assertEqual(test.values("check"), ["off"])
        long = self.read("# Reference 1.5.5: passes (DuckDB file, PostgreSQL), fails (SQLite): locks\n")
        self.assertEqual([long.reference_verdict(name) for name in ("duckdb", "postgres", "sqlite")],
                         ["passes", "passes", "fails"])

    def test_mistakes_in_the_file_are_told(self):
        for text in ("loop i 0 2\n", "endloop\n", "statment ok\nSELECT 1\n", "statement ok\n"):
            with self.assertRaises(sqllogic.SyntaxProblem):
                self.read(text)

    def test_crash_and_hang_are_failures(self):
        worker = self.folder / "worker.py"
        worker.write_text("import os, sys\nsys.stderr.write('last words')\nsys.stderr.flush()\nos.abort()\n")
        answer = run.run_worker({"folder": str(self.folder)}, 30, worker)
        self.assertEqual(answer["verdict"], "failed")
        self.assertIn("last words", answer["text"])
        worker.write_text("import time\ntime.sleep(60)\n")
        answer = run.run_worker({"folder": str(self.folder)}, 0.5, worker)
        self.assertIn("no end", answer["text"])

    def test_errors_of_duckdb_reach_python(self):
        database = duck.Database()
        with self.assertRaises(duck.SqlError):
            database.connect().execute("SELEC 1")
        database.close()


if __name__ == "__main__":
    unittest.main()
