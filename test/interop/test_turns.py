"""Tarn writes, the reference reads and changes, Tarn reads again: nothing is lost or seen differently."""

import probes
from test_reading import Remembered

ALL_TYPES = """CREATE TABLE lake.types (id INTEGER NOT NULL, a BOOLEAN, b TINYINT, c SMALLINT, d INTEGER, e BIGINT,
  f HUGEINT, g UTINYINT, h USMALLINT, i UINTEGER, j UBIGINT, k UHUGEINT, l FLOAT, m DOUBLE, n DECIMAL(4,1),
  o DECIMAL(18,3), p DECIMAL(38,10), q DATE, r TIME, s TIMETZ, t TIMESTAMP, u TIMESTAMPTZ, v TIMESTAMP_S,
  w TIMESTAMP_MS, x TIMESTAMP_NS, y INTERVAL, z VARCHAR DEFAULT 'it''s', aa BLOB, ab UUID, ac JSON,
  ad STRUCT(a INTEGER, b VARCHAR[]), ae INTEGER[], af MAP(VARCHAR, DOUBLE), ag STRUCT(x STRUCT(y DATE))[])"""

ROWS = ["""INSERT INTO lake.types VALUES (1, true, -128, -32768, -2147483648, -9223372036854775808, -4, 0, 0, 0, 0, 0,
  'nan', '-inf', -999.9, -999999999999999.999, -9999999999999999999999999999.9999999999, '-infinity', '00:00:00',
  '12:00:00', '-infinity', '-infinity', '1969-12-31 23:59:59', '1969-12-31 23:59:59.999',
  '1969-12-31 23:59:59.999999999', '1 year 2 months 3 days 04:05:06.789', 'it''s {x} \\ "', '\\x00\\xFF''',
  'ffffffff-ffff-ffff-ffff-ffffffffffff', '{"a": [1, null]}', {'a': 1, 'b': ['x', NULL]}, [1, NULL],
  MAP {'k': 'inf'::DOUBLE}, [{'x': {'y': DATE '2020-01-01'}}, NULL])""",
        """INSERT INTO lake.types VALUES (2, false, 127, 32767, 2147483647, 9223372036854775807,
  1267650600228229401496703205376, 255, 65535, 4294967295, 18446744073709551615, 1267650600228229401496703205376,
  'inf', 'nan', 999.9, 999999999999999.999, 9999999999999999999999999999.9999999999, 'infinity', '24:00:00',
  '00:00:00', 'infinity', 'infinity', '9999-12-31 23:59:59', '9999-12-31 23:59:59.999',
  '2262-04-11 23:47:16.854775806', '10 years', repeat('long', 100), '', '00000000-0000-0000-0000-000000000000',
  'null', {'a': NULL, 'b': []}, [], MAP {}, [])""",
        "INSERT INTO lake.types (id) SELECT range FROM range(3, 20)"]

WRITES = [
    ALL_TYPES, *ROWS,
    "CREATE SCHEMA lake.\"My Schema\"",
    "CREATE TABLE lake.\"My Schema\".\"t.1\" AS SELECT range AS i, 'w' || (range % 10) AS s FROM range(3000)",
    "CREATE VIEW lake.v AS SELECT s, count(*) AS n FROM lake.\"My Schema\".\"t.1\" GROUP BY s",
    "CREATE VIEW lake.w (\"a b\") AS SELECT id FROM lake.types WHERE id < 5",
    "CREATE TABLE lake.gone AS SELECT 1 AS i",
    "CREATE TABLE lake.t (i INTEGER, s VARCHAR DEFAULT 'none')",
    "INSERT INTO lake.t SELECT range, 'a' FROM range(20)",
    "INSERT INTO lake.t (i) SELECT range FROM range(100, 120)",
    "DROP TABLE lake.gone",
    "CREATE TABLE lake.replaced AS SELECT 1 AS i",
    "CREATE OR REPLACE TABLE lake.replaced AS SELECT 'x' AS s",
    "BEGIN", "CREATE TABLE lake.tx AS SELECT range AS i FROM range(5)", "INSERT INTO lake.tx SELECT i + 5 FROM lake.tx",
    "INSERT INTO lake.t VALUES (1000, 'tx')", "COMMIT",
]

CHANGES = [
    "INSERT INTO lake.t VALUES (2000, 'reference')",
    "DELETE FROM lake.t WHERE i IN (3, 105)",
    "UPDATE lake.t SET s = 'updated' WHERE i < 3 OR i = 2000",
    "ALTER TABLE lake.t ADD COLUMN d DATE DEFAULT '2020-01-01'",
    "INSERT INTO lake.t SELECT range, 'more', NULL FROM range(3000, 3030)",
    "DELETE FROM lake.\"My Schema\".\"t.1\" WHERE i % 3 = 0",
    "ALTER TABLE lake.\"My Schema\".\"t.1\" RENAME COLUMN s TO label",
    "UPDATE lake.types SET z = 'updated', l = 1 WHERE id = 2",
    "ALTER TABLE lake.types ALTER d SET DATA TYPE BIGINT",
    "CREATE OR REPLACE VIEW lake.v AS SELECT label, count(*) AS n FROM lake.\"My Schema\".\"t.1\" GROUP BY label",
    "ALTER TABLE lake.tx RENAME TO ty",
    "CALL ducklake_flush_inlined_data('lake')",
    "CALL ducklake_merge_adjacent_files('lake')",
]

MORE = [
    "INSERT INTO lake.t SELECT range, 'tarn again', DATE '2024-02-29' FROM range(5000, 5020)",
    "CREATE TABLE lake.last AS SELECT i, d FROM lake.t WHERE d IS NOT NULL",
    "DROP VIEW lake.w",
    "CREATE VIEW lake.w AS SELECT max(i) AS m FROM lake.ty",
    "CREATE OR REPLACE TABLE lake.replaced AS SELECT 2 AS i",
]


def compare(world, first, second):
    """All answers of one client, against the other's."""
    with world.session(first) as session:
        questions = probes.listing() + probes.now(session, 1) + probes.at_snapshots(session, 5)
        answers = {question: session.outcome(question) for question in questions}
    errors = [f"{question}\n  {answer[1]}" for question, answer in answers.items() if answer[0] == "error"
              and "lake.v " not in question and "lake.\"main\".\"v\"" not in question]
    assert not errors, "\n".join(errors[:8])
    with world.session(second) as session:
        found = probes.differences(Remembered(first, answers), session, questions)
    assert not found, f"{len(found)} of {len(questions)} answers differ:\n" + "\n".join(found[:12])
    world.check()


def test_tarn_writes_reference_changes_tarn_goes_on(world):
    world.script("tarn", WRITES, "DATA_INLINING_ROW_LIMIT 0")
    compare(world, "tarn", "reference")
    world.script("reference", CHANGES)
    compare(world, "reference", "tarn")
    world.script("tarn", MORE, "DATA_INLINING_ROW_LIMIT 0")
    compare(world, "tarn", "reference")


def test_reference_writes_tarn_goes_on(world):
    world.script("reference", WRITES + CHANGES)
    compare(world, "reference", "tarn")
    world.script("tarn", MORE, "DATA_INLINING_ROW_LIMIT 0")
    compare(world, "tarn", "reference")
    world.script("reference", ["UPDATE lake.t SET s = 'end' WHERE i >= 5010", "DELETE FROM lake.last WHERE i < 10",
                               "CHECKPOINT lake"])
    compare(world, "reference", "tarn")


def test_by_turns_statement_for_statement(world):
    """Each statement by the other client than the one before, on tables of both."""
    clients = ["tarn", "reference"]
    world.script("reference", ["CREATE TABLE lake.r (who VARCHAR, n INTEGER)"])
    world.script("tarn", ["CREATE TABLE lake.t (who VARCHAR, n INTEGER)"])
    for turn in range(8):
        client = clients[turn % 2]
        world.script(client, [
            f"INSERT INTO lake.r SELECT '{client}', {turn} FROM range({turn + 1})",
            f"INSERT INTO lake.t SELECT '{client}', {turn} FROM range(20)",
            f"CREATE TABLE lake.t{turn} AS SELECT {turn} AS i",
        ])
    for client in clients:
        with world.session(client) as session:
            assert session.run("SELECT count(*), sum(n), count(DISTINCT rowid), max(rowid) FROM lake.r") == [
                ("36", "168", "36", "35")]
            assert session.run("SELECT who, count(*) FROM lake.t GROUP BY who ORDER BY who") == [
                ("reference", "80"), ("tarn", "80")]
            assert session.run("SELECT count(*), count(DISTINCT table_id) FROM ducklake_table_info('lake')") == [
                ("10", "10")]
            assert session.run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')") == [("26",)]
    compare(world, "reference", "tarn")


# What chains of changes leave in the catalog, with files of each shape between them.
SHAPES = [
    "CREATE TABLE lake.e (id INTEGER, n SMALLINT, s STRUCT(x INTEGER, y VARCHAR), l STRUCT(p INTEGER)[], b BOOLEAN)",
    "INSERT INTO lake.e SELECT range, range, {'x': range, 'y': 'old'}, [{'p': 1}], range % 2 = 0 FROM range(30)",
    "ALTER TABLE lake.e ADD COLUMN d DATE DEFAULT DATE '2020-01-01'",
    "ALTER TABLE lake.e ADD COLUMN t VARCHAR DEFAULT 'NULL'",
    "ALTER TABLE lake.e ALTER n TYPE BIGINT",
    "ALTER TABLE lake.e ALTER b TYPE INTEGER",
    "INSERT INTO lake.e (id, n) SELECT range, range FROM range(100, 130)",
    "ALTER TABLE lake.e ADD COLUMN s.z INTEGER DEFAULT 7",
    "ALTER TABLE lake.e DROP COLUMN s.x",
    "ALTER TABLE lake.e RENAME COLUMN l.element.p TO pp",
    "ALTER TABLE lake.e ALTER l TYPE STRUCT(pp BIGINT, q VARCHAR)[]",
    "INSERT INTO lake.e SELECT range, range, {'y': 'new', 'z': 1}, [{'pp': 5000000000, 'q': 'q'}], 9, NULL, 'x' "
    "FROM range(200, 230)",
    # A column that its own transaction drops again leaves an id that nobody may take.
    "BEGIN", "ALTER TABLE lake.e ADD COLUMN gone INTEGER",
    "INSERT INTO lake.e (id, gone) SELECT range, 77 FROM range(300, 330)", "ALTER TABLE lake.e DROP COLUMN gone", "COMMIT",
    "BEGIN", "ALTER TABLE lake.e RENAME TO spare", "ALTER TABLE lake.spare RENAME COLUMN n TO m",
    "ALTER TABLE lake.spare RENAME TO f", "COMMIT",
    "COMMENT ON TABLE lake.f IS 'words'", "COMMENT ON COLUMN lake.f.m IS 'more words'",
    "CREATE MACRO lake.twice(a) AS a * 2",
    "CREATE MACRO lake.first(a := 3) AS TABLE SELECT id FROM lake.f WHERE id < a",
    "COMMENT ON MACRO lake.twice IS 'doubles'",
]


def test_altered_tables_by_turns(world):
    """Each reads the other's shapes, and adds one of its own."""
    world.script("tarn", SHAPES, "DATA_INLINING_ROW_LIMIT 0")
    compare(world, "tarn", "reference")
    world.script("reference", [
        "ALTER TABLE lake.f ADD COLUMN fresh INTEGER",
        "INSERT INTO lake.f (id, fresh) SELECT range, 1 FROM range(400, 430)",
        "ALTER TABLE lake.f ALTER m TYPE HUGEINT",
        "ALTER TABLE lake.f ADD COLUMN s.w VARCHAR",
        "UPDATE lake.f SET t = 'updated' WHERE id IN (5, 105, 205)",
        "ALTER TABLE lake.f RENAME TO g",
        "COMMENT ON TABLE lake.g IS NULL",
    ], "DATA_INLINING_ROW_LIMIT 0")
    compare(world, "reference", "tarn")
    for client in ("tarn", "reference"):
        with world.session(client) as session:
            assert session.run("SELECT count(*), count(fresh), sum(fresh) FROM lake.g") == [("150", "30", "30")]
    world.script("tarn", [
        "ALTER TABLE lake.g DROP COLUMN fresh",
        "ALTER TABLE lake.g ADD COLUMN fresh VARCHAR DEFAULT 'a' || 'b'",
        "DELETE FROM lake.g WHERE m < 10",
        "INSERT INTO lake.g (id, m) VALUES (1000, 12345678901234)",
        "DROP MACRO lake.twice",
    ], "DATA_INLINING_ROW_LIMIT 0")
    compare(world, "tarn", "reference")
