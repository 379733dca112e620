"""The same script leaves the same rows in the catalog, whichever client runs it: uuids, times and sizes aside."""

import json
import re
import sqlite3

import pytest

from harness import clients
from sessions import Session
from test_turns import WRITES

SCRIPT = WRITES + [
    "CREATE TABLE lake.defaults (a INTEGER DEFAULT 5, b VARCHAR DEFAULT 'it''s', c BOOLEAN DEFAULT true, "
    "d DATE DEFAULT '2020-01-01', e DOUBLE DEFAULT -1.5, f DECIMAL(9,2) DEFAULT 1.5, g TIMESTAMP DEFAULT "
    "'2020-01-01 00:00:00', h VARCHAR DEFAULT '', i BIGINT DEFAULT NULL, j VARCHAR NOT NULL)",
    "INSERT INTO lake.defaults (j) SELECT 'x' FROM range(20)",
    "CREATE TABLE lake.empty (a STRUCT(b MAP(VARCHAR, STRUCT(c INTEGER[])))[])",
    "CREATE SCHEMA lake.s2",
    "CREATE TABLE lake.s2.t AS SELECT 1 AS i",
    "DROP SCHEMA lake.s2 CASCADE",
    "BEGIN", "CALL ducklake_set_commit_message('lake', 'Ada', 'words', extra_info => 'more')",
    "CREATE SCHEMA lake.\"s 3\"", "CREATE VIEW lake.\"s 3\".v AS SELECT * FROM lake.main.defaults",
    "DROP VIEW lake.v", "COMMIT",
    "INSERT INTO lake.defaults (j) SELECT NULL::VARCHAR FROM range(0)",
    "BEGIN", "CREATE TABLE lake.never (i INTEGER)", "ROLLBACK",
    "CALL ducklake_set_option('lake', 'target_file_size', '5MB')",
    "CALL ducklake_set_option('lake', 'parquet_compression', 'ZSTD', table_name => 't')",
    "CALL ducklake_set_option('lake', 'rewrite_delete_threshold', 0.25, schema => 's 3')",
    "INSERT INTO lake.t SELECT range, 'zstd' FROM range(20)",
]

# Each statement's rows are chosen so that it takes files whole, in part, a second time, and not at all.
CHANGES = [
    "CREATE TABLE lake.r (i INTEGER, s VARCHAR, x DOUBLE)",
    "INSERT INTO lake.r SELECT range, 'a' || range, range / 2 FROM range(100)",
    "INSERT INTO lake.r SELECT range, 'b' || range, NULL FROM range(100, 200)",
    "DELETE FROM lake.r WHERE i < 10",
    "DELETE FROM lake.r WHERE i BETWEEN 10 AND 19 OR i > 190",
    "DELETE FROM lake.r WHERE i = -1",
    "UPDATE lake.r SET s = s || '!' WHERE i BETWEEN 30 AND 39",
    "UPDATE lake.r SET x = 1 FROM range(40, 45) AS v(k) WHERE i = k",
    "MERGE INTO lake.r USING (SELECT range AS k FROM range(45, 50)) AS v ON i = k WHEN MATCHED THEN DELETE",
    "MERGE INTO lake.r USING (SELECT range AS k FROM range(195, 205)) AS v ON i = k "
    "WHEN MATCHED THEN UPDATE SET s = 'm' WHEN NOT MATCHED THEN INSERT VALUES (k, 'new', 0)",
    "BEGIN", "DELETE FROM lake.r WHERE i = 60", "DELETE FROM lake.r WHERE i = 61",
    "INSERT INTO lake.r SELECT range, 'own', 0 FROM range(1000, 1010)", "DELETE FROM lake.r WHERE i = 62", "COMMIT",
    "BEGIN", "INSERT INTO lake.r SELECT range, 'gone', 0 FROM range(2000, 2010)", "DELETE FROM lake.r WHERE i < 70", "ROLLBACK",
    "DELETE FROM lake.r WHERE i >= 100 AND i < 1000",
    "CREATE TABLE lake.whole AS SELECT range AS i FROM range(50)",
    "INSERT INTO lake.whole SELECT range FROM range(50, 80)",
    "DELETE FROM lake.whole WHERE i < 50",
    "TRUNCATE lake.whole",
    "INSERT INTO lake.whole VALUES (1)",
]

# Without what the reference gets wrong: chains of renames in one transaction, and changes that change nothing.
EVOLVED = [
    "CREATE TABLE lake.t (a INTEGER, s STRUCT(x INTEGER, y VARCHAR), l STRUCT(p INTEGER)[], "
    "m MAP(VARCHAR, STRUCT(q INTEGER, r INTEGER)), f FLOAT, ok BOOLEAN)",
    "INSERT INTO lake.t SELECT range, {'x': 1, 'y': 'q'}, [{'p': 1}], MAP {'k': {'q': 1, 'r': 2}}, 0.5, true "
    "FROM range(20)",
    "ALTER TABLE lake.t ADD COLUMN b INTEGER DEFAULT 42",
    "ALTER TABLE lake.t ADD COLUMN c VARCHAR",
    "ALTER TABLE lake.t ADD COLUMN s2 STRUCT(k INTEGER, v STRUCT(w INTEGER))",
    "ALTER TABLE lake.t ADD COLUMN d DATE DEFAULT '2020-01-01'",
    "ALTER TABLE lake.t ADD COLUMN e DECIMAL(9,2) DEFAULT 1.5",
    "ALTER TABLE lake.t ADD COLUMN at_ TIMESTAMPTZ",
    "INSERT INTO lake.t (a, c) SELECT range, 'new' FROM range(20)",
    "ALTER TABLE lake.t DROP COLUMN c",
    "ALTER TABLE lake.t ADD COLUMN c VARCHAR DEFAULT 'x'",
    "ALTER TABLE lake.t RENAME COLUMN b TO bb",
    "ALTER TABLE lake.t RENAME COLUMN bb TO BB",
    "ALTER TABLE lake.t ALTER bb SET DEFAULT 7",
    "ALTER TABLE lake.t ALTER bb DROP DEFAULT",
    "ALTER TABLE lake.t ALTER f SET DEFAULT random()",
    "ALTER TABLE lake.t ALTER a SET NOT NULL",
    "ALTER TABLE lake.t ALTER a DROP NOT NULL",
    "ALTER TABLE lake.t ALTER bb TYPE BIGINT",
    "ALTER TABLE lake.t ALTER f TYPE DOUBLE",
    "ALTER TABLE lake.t ALTER ok TYPE INTEGER",
    "ALTER TABLE lake.t ADD COLUMN s.z INTEGER",
    "ALTER TABLE lake.t ADD COLUMN l.element.q INTEGER DEFAULT 5",
    "ALTER TABLE lake.t DROP COLUMN s.x",
    "ALTER TABLE lake.t DROP COLUMN m.value.q",
    "ALTER TABLE lake.t RENAME COLUMN s.y TO yy",
    "ALTER TABLE lake.t ALTER s TYPE STRUCT(n DATE, yy VARCHAR, z BIGINT)",
    "INSERT INTO lake.t (a, f) SELECT range, 0.1 FROM range(20)",
    "ALTER TABLE lake.t RENAME TO t2",
    "ALTER TABLE lake.t2 RENAME TO T2",
    "COMMENT ON TABLE lake.t2 IS 'words'", "COMMENT ON TABLE lake.t2 IS 'others'", "COMMENT ON TABLE lake.t2 IS NULL",
    "COMMENT ON COLUMN lake.t2.a IS 'a column'",
    "BEGIN", "COMMENT ON TABLE lake.t2 IS 'one'", "COMMENT ON TABLE lake.t2 IS 'two'",
    "COMMENT ON COLUMN lake.t2.a IS NULL", "COMMIT",
    "BEGIN", "ALTER TABLE lake.t2 ADD COLUMN g INTEGER", "ALTER TABLE lake.t2 RENAME COLUMN g TO h",
    "ALTER TABLE lake.t2 ALTER h TYPE BIGINT", "ALTER TABLE lake.t2 ALTER h SET DEFAULT 5",
    "ALTER TABLE lake.t2 ALTER h SET DEFAULT 6", "COMMIT",
    "CREATE VIEW lake.v AS SELECT a FROM lake.t2",
    "COMMENT ON VIEW lake.v IS 'a view'",
    "ALTER VIEW lake.v RENAME TO w",
    "ALTER VIEW lake.w RENAME TO W",
    "CREATE TABLE lake.orders AS SELECT 1 AS run",
    "CREATE TABLE lake.orders__new AS SELECT 2 AS run", "BEGIN", "ALTER TABLE lake.orders RENAME TO orders__old",
    "ALTER TABLE lake.orders__new RENAME TO orders", "COMMIT",
    "DROP TABLE lake.orders__old",
    "CREATE MACRO lake.m(x, y := 5) AS x + y",
    "CREATE MACRO lake.m(x) AS TABLE SELECT x AS got",
    "CREATE MACRO lake.o (x) AS x, (x, y) AS x || y",
    "CREATE MACRO lake.typed(a INTEGER, b VARCHAR := 'it''s', c DOUBLE := 1.5, d DATE := DATE '2020-01-01') AS a || b",
    "CREATE OR REPLACE MACRO lake.m(x) AS x * 2",
    "DROP MACRO lake.o", "DROP MACRO TABLE lake.m",
]

# No NULLs, which the reference does not count among variants.
VARIANTS = [
    "CREATE TABLE lake.v (i INTEGER, v VARIANT)",
    "INSERT INTO lake.v SELECT range, {'a': range, 'b': 'x' || range, 'c': {'d': range::DOUBLE}}::VARIANT FROM range(100)",
    "INSERT INTO lake.v SELECT range, {'a': range, 'q\"q': [range], 'l': [{'x': true, 'y': [[DATE '2020-01-01' + range::INTEGER]]}], "
    "'D.d': 1.5::DECIMAL(5,2), 'root': NULL, 'only': CASE WHEN range < 150 THEN range END}::VARIANT FROM range(100, 200)",
    "INSERT INTO lake.v SELECT range, range::VARIANT FROM range(200, 300)",
    "INSERT INTO lake.v SELECT range, [range::VARCHAR]::VARIANT FROM range(300, 400)",
    "INSERT INTO lake.v SELECT range, CASE WHEN range % 2 = 0 THEN 'x'::VARIANT ELSE {'a': range}::VARIANT END FROM range(400, 500)",
    "INSERT INTO lake.v SELECT range, CASE WHEN range > 510 THEN 'x'::VARIANT ELSE {'a': range}::VARIANT END FROM range(500, 513)",
    "INSERT INTO lake.v SELECT range, {'a': CASE WHEN range % 2 = 0 THEN 'x'::VARIANT ELSE range::VARIANT END, 'b': 1}::VARIANT "
    "FROM range(600, 700)",
    "UPDATE lake.v SET v = {'a': i, 'new': i}::VARIANT WHERE i BETWEEN 90 AND 110",
    "CREATE TABLE lake.w AS SELECT i, v FROM lake.v WHERE i < 50",
    "INSERT INTO lake.w SELECT i, v FROM lake.v WHERE i BETWEEN 50 AND 80",
    "INSERT INTO lake.w SELECT i, v FROM lake.v WHERE i BETWEEN 120 AND 130",
]

TABLES = """metadata snapshot snapshot_changes schema table view column macro macro_impl macro_parameters data_file
delete_file files_scheduled_for_deletion inlined_data_tables column_mapping name_mapping table_stats table_column_stats
file_column_stats file_variant_stats partition_info partition_column file_partition_value sort_info sort_expression tag
column_tag schema_versions""".split()

# What may differ: uuids and times always do, sizes may (two versions of one writer), and each client signs its own name.
IGNORED = {"schema_uuid", "table_uuid", "view_uuid", "snapshot_time", "schedule_start", "file_size_bytes", "footer_size",
           "column_size_bytes"}


def dump(world):
    """All rows of all catalog tables, by a third party: SQLite's own library, or DuckDB without any extension."""
    found = {}
    if world.lake.attach.startswith("ducklake:sqlite:"):
        with sqlite3.connect(world.lake.check) as connection:
            for table in TABLES:
                cursor = connection.execute(f"SELECT * FROM ducklake_{table}")
                names = [column[0] for column in cursor.description]
                found[table] = [dict(zip(names, map(shown, row))) for row in cursor]
        return found
    plain = clients.Client("plain", "duckdb", home=world.tarn.home)
    with Session(plain, world.folder) as session:
        if world.lake.check.startswith("postgres:"):
            session.run(f"LOAD {clients.quoted(clients.packaged_extension('postgres_scanner'))}")
        session.run(f"ATTACH '{world.lake.check}' AS raw (READ_ONLY)")
        for table in TABLES:
            names = [row[0] for row in session.run(f"DESCRIBE raw.ducklake_{table}")]
            found[table] = [dict(zip(names, row)) for row in session.run(f"FROM raw.ducklake_{table}")]
    return found


def shown(value):
    return None if value is None else str(value)


def comparable(tables):
    """All rows but what the reference gets wrong.

    It counts no values for types that have no bounds, and a file that holds NaN only makes it forget the bounds that it
    had, or take those of the next file for the whole table's. It leaves the delete file of a data file alive that has
    ended. A statement that deletes from several files numbers its delete files in an order of its own.
    """
    for row in tables["column"]:
        # Of nested fields, the reference forgets that they may be NULL, and what their missing default looks like.
        if row["parent_column"] is not None:
            row["nulls_allowed"] = row["default_value_type"] = "…"
    ended = {row["data_file_id"]: row["end_snapshot"] for row in tables["data_file"] if row["end_snapshot"] is not None}
    for row in tables["delete_file"]:
        row["end_snapshot"] = ended.get(row["data_file_id"], row["end_snapshot"])
        del row["delete_file_id"]
    for row in tables["files_scheduled_for_deletion"]:
        del row["data_file_id"]
    for row in tables["snapshot_changes"]:
        # Renames come in the order of its own maps.
        words = row["changes_made"].split(",")
        if all(word.startswith("created_table:") for word in words):
            row["changes_made"] = ",".join(sorted(words))
    types = {}
    for row in tables["column"]:
        types.setdefault((row["table_id"], row["column_id"]), set()).add(row["column_type"])
    for row in tables["table_column_stats"]:
        # Of a column that was altered after a file of NULLs only, it forgets the bounds, too.
        if row["contains_nan"] in ("1", "true") or len(types[row["table_id"], row["column_id"]]) > 1:
            row["min_value"] = row["max_value"] = "…"
    without = {(row["table_id"], row["column_id"]) for row in tables["column"]
               if row["column_type"] in ("timetz", "interval")}
    return {table: [row for row in rows if not table.endswith("column_stats")
                    or (row["table_id"], row["column_id"]) not in without] for table, rows in tables.items()}


def normal(world, table, row):
    row = {key: value for key, value in row.items() if key not in IGNORED}
    if table == "metadata" and row["key"] == "created_by":
        row["value"] = "…"
    for key, value in row.items():
        if isinstance(value, str):
            value = value.replace(world.folder, "…")
            if key == "extra_stats" and value.startswith("["):  # fields of a variant, in no order
                fields = [field | {"column_size_bytes": "…"} for field in json.loads(value)]
                value = json.dumps(sorted(fields, key=lambda field: field["field_name"]))
            row[key] = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "<uuid>", value)
    return tuple(sorted((key, str(value)) for key, value in row.items()))


@pytest.mark.parametrize("script", [SCRIPT, CHANGES, EVOLVED, VARIANTS], ids=["made", "changed", "evolved", "variants"])
def test_same_script_same_rows(worlds, script):
    ours, theirs = worlds
    ours.script("tarn", script, "DATA_INLINING_ROW_LIMIT 0")
    theirs.script("reference", script, "DATA_INLINING_ROW_LIMIT 0")
    assert_same_rows(ours, theirs)
    ours.check()


def assert_same_rows(ours, theirs):
    mine, reference = comparable(dump(ours)), comparable(dump(theirs))
    found = []
    for table in TABLES:
        got = sorted(normal(ours, table, row) for row in mine[table])
        wanted = sorted(normal(theirs, table, row) for row in reference[table])
        for row in [row for row in wanted if row not in got][:5]:
            found.append(f"{table} lacks  {dict(row)}")
        for row in [row for row in got if row not in wanted][:5]:
            found.append(f"{table} has    {dict(row)}")
        if len(got) != len(wanted):
            found.append(f"{table} has {len(got)} rows for {len(wanted)}")
    assert not found, "\n".join(found)


def test_new_lake_has_the_same_tables(worlds):
    """Names and types of the catalog's columns, in their order, right after the first ATTACH."""
    ours, theirs = worlds
    ours.script("tarn", [])
    theirs.script("reference", [])
    assert schema(ours) == schema(theirs)


def schema(world):
    if world.lake.attach.startswith("ducklake:sqlite:"):
        with sqlite3.connect(world.lake.check) as connection:
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' "
                                                           "AND name LIKE 'ducklake%' ORDER BY name")]
            return {table: [(row[1], row[2].upper(), bool(row[5])) for row in
                            connection.execute(f"PRAGMA table_info({table})")] for table in tables}
    plain = clients.Client("plain", "duckdb", home=world.tarn.home)
    with Session(plain, world.folder) as session:
        if world.lake.check.startswith("postgres:"):
            session.run(f"LOAD {clients.quoted(clients.packaged_extension('postgres_scanner'))}")
        session.run(f"ATTACH '{world.lake.check}' AS raw (READ_ONLY)")
        rows = session.run("SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns() "
                           "WHERE database_name = 'raw' AND table_name LIKE 'ducklake%' ORDER BY table_name, column_index")
        keys = session.run("SELECT table_name, constraint_column_names FROM duckdb_constraints() "
                           "WHERE database_name = 'raw' AND constraint_type = 'PRIMARY KEY' ORDER BY ALL")
        return rows, keys
