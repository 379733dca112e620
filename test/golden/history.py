"""The statements that make a golden lake: about everything that a lake of each older version can have.

    make_golden.py runs them with the reference client of that version.

An entry is a statement, or a statement and the versions of the format that know it.
"""

ALL_TYPES = (
    "b boolean, i1 tinyint, i2 smallint, i4 int, i8 bigint, u1 utinyint, u2 usmallint, u4 uinteger, u8 ubigint, f float, d double, "
    "dec decimal(10,2), dt date, t time, ts timestamp, tz timestamptz, tss timestamp_s, tms timestamp_ms, tns timestamp_ns, "
    "v varchar, bl blob, u uuid, j json, l int[], s struct(x int, y varchar), m map(varchar, int)")
ALL_VALUES = (
    "true, 1, 2, 3, 4, 5, 6, 7, 8, 1.5, 'nan', 3.25, '2020-01-01', '12:00', '2020-01-01 00:00:00.5', "
    "'2020-01-01 00:00:00+00', '2020-01-01', '2020-01-01', '2020-01-01', 'x', 'ab'::blob, "
    "'f79c3e09-677c-4bbd-a479-3f349cb785e7', '{\"a\":1}', [1, null], {'x': 1, 'y': 'z'}, map {'k': 1}")
ALL_NULLS = ", ".join(["NULL"] * 26)
SPREAD = "SELECT 'k' || (i % 2), DATE '2020-01-01' + i::int * 300, i FROM range(4) t(i)"


class Limit(int):
    """From here on, so many rows stay in the catalog."""


def statements(version):
    for entry in HISTORY:
        statement, versions = entry if isinstance(entry, tuple) else (entry, None)
        if not versions or version in versions:
            yield statement


NEW = ("0.4",)
FROM_03 = ("0.3", "0.4")

HISTORY = [
    Limit(0),
    # Files that become one, of three snapshots: what the versions tell apart by partial_file_info.
    "CREATE TABLE l.merged(i int)",
    "INSERT INTO l.merged SELECT range + 100 FROM range(3)",
    "INSERT INTO l.merged SELECT range + 200 FROM range(3)",
    "INSERT INTO l.merged SELECT range + 300 FROM range(3)",
    "CALL ducklake_merge_adjacent_files('l')",
    "INSERT INTO l.merged SELECT range + 400 FROM range(3)",
    "DELETE FROM l.merged WHERE i IN (100, 301)",
    # Every type, inlined and in a file.
    Limit(3),
    f"CREATE TABLE l.types({ALL_TYPES})",
    f"INSERT INTO l.types VALUES ({ALL_VALUES})",
    "CREATE TABLE l.flushed(i int, v varchar)",
    "INSERT INTO l.flushed VALUES (1, 'a'), (2, 'b')",
    "INSERT INTO l.flushed VALUES (3, 'a'), (4, 'b')",
    "DELETE FROM l.flushed WHERE i = 1",
    ("CALL ducklake_flush_inlined_data('l', table_name => 'flushed')", FROM_03),
    # The same in files. 1.3.1 leaves a column's old row alive when the column changes, which it trips over itself as soon as it
    # is attached again, and it cannot read inlined rows of an older shape: so its shapes come after its last limit.
    Limit(0),
    f"INSERT INTO l.types VALUES ({ALL_VALUES}), ({ALL_NULLS})",
    # Deletes, updates, deletes of deletes.
    "CREATE TABLE l.rows(i bigint NOT NULL, v varchar DEFAULT 'x', d double)",
    "INSERT INTO l.rows SELECT i, 'v' || i, i / 2 FROM range(20) t(i)",
    "DELETE FROM l.rows WHERE i % 10 = 3",
    "DELETE FROM l.rows WHERE i % 10 = 4",
    "UPDATE l.rows SET v = 'new' WHERE i < 2",
    "INSERT INTO l.rows SELECT i, NULL, 'nan' FROM range(100, 104) t(i)",
    "DELETE FROM l.rows WHERE i >= 100",
    # Shapes that change, with inlined rows of each.
    (Limit(3), FROM_03),
    "CREATE TABLE l.shapes(x int, y float, s struct(p int))",
    "INSERT INTO l.shapes VALUES (1, 0.1, {'p': 1})",
    "INSERT INTO l.shapes SELECT i, i / 3, {'p': i} FROM range(5) t(i)",
    "ALTER TABLE l.shapes ADD COLUMN z int DEFAULT 42",
    "INSERT INTO l.shapes VALUES (2, 0.2, {'p': 2}, 3)",
    "DELETE FROM l.shapes WHERE y = 0.2::float",
    "ALTER TABLE l.shapes RENAME COLUMN x TO xx",
    "ALTER TABLE l.shapes ALTER y TYPE double",
    "INSERT INTO l.shapes VALUES (3, 0.3, {'p': 2}, 3)",
    "ALTER TABLE l.shapes ADD COLUMN s.r varchar",
    "ALTER TABLE l.shapes DROP COLUMN z",
    "INSERT INTO l.shapes VALUES (4, 0.4, {'p': 2, 'r': 'k'})",
    (Limit(0), FROM_03),  # a table for inlined rows that 1.4.4 makes at a rename has no columns
    "ALTER TABLE l.shapes RENAME TO shaped",
    (Limit(3), FROM_03),
    "ALTER TABLE l.shaped ALTER xx SET DEFAULT 7",
    "ALTER TABLE l.shaped ALTER xx SET NOT NULL",
    "ALTER TABLE l.shaped ALTER xx DROP NOT NULL",
    # Defaults.
    "CREATE TABLE l.defaults(i int DEFAULT 5, d date DEFAULT '2020-01-01', v varchar DEFAULT 'it''s', n int)",
    "INSERT INTO l.defaults(n) VALUES (1)",
    "ALTER TABLE l.defaults ADD COLUMN w varchar DEFAULT 'later'",
    ("ALTER TABLE l.defaults ADD COLUMN word varchar DEFAULT 'NULL'", ("0.2", "0.3")),
    "ALTER TABLE l.defaults ALTER n SET DEFAULT NULL",
    ("CREATE TABLE l.moments(i int, n timestamp DEFAULT now())", NEW),
    # Partitions.
    "CREATE TABLE l.parts(k varchar, dt date, n int)",
    "ALTER TABLE l.parts SET PARTITIONED BY (k, year(dt))",
    f"INSERT INTO l.parts {SPREAD}",
    "ALTER TABLE l.parts RESET PARTITIONED BY",
    f"INSERT INTO l.parts {SPREAD}",
    ("ALTER TABLE l.parts SET SORTED BY (n DESC)", NEW),
    # Files of others, by name.
    "COPY (SELECT i::int id, {'a': i::int} nn FROM range(4) t(i)) TO '{LAKE}/data/main/outside.parquet'",
    "CREATE TABLE l.registered(id int, nn struct(a int))",
    "CALL ducklake_add_data_files('l', 'registered', '{LAKE}/data/main/outside.parquet')",
    # Maintenance.
    ("CREATE TABLE l.upkeep(i int)", FROM_03),
    ("INSERT INTO l.upkeep SELECT range FROM range(10)", FROM_03),
    ("DELETE FROM l.upkeep WHERE i > 3", FROM_03),
    ("CALL ducklake_rewrite_data_files('l', 'upkeep', delete_threshold => 0.1)", FROM_03),
    "INSERT INTO l.flushed VALUES (9, 'z')",
    # Objects, comments, options.
    "CREATE SCHEMA l.second",
    "CREATE TABLE l.second.t(i int)",
    "INSERT INTO l.second.t VALUES (1)",
    "CREATE SCHEMA l.\"a schema\"",
    "CREATE TABLE l.\"a schema\".\"od d\"\"t\"(\"sel ect\" int)",
    "INSERT INTO l.\"a schema\".\"od d\"\"t\" SELECT range FROM range(4)",
    "CREATE VIEW l.viewed AS SELECT i, v FROM l.rows",
    "CREATE VIEW l.aliased(c1) AS SELECT i FROM l.rows",
    "CREATE VIEW l.gone_view AS SELECT 1 AS one",
    ("CREATE MACRO l.plus(a, b := 3) AS a + b", NEW),
    ("CREATE MACRO l.listed(a) AS TABLE SELECT a", NEW),
    "COMMENT ON TABLE l.rows IS 'before'",
    "COMMENT ON COLUMN l.rows.v IS 'of a column'",
    "COMMENT ON TABLE l.rows IS 'after'",
    "COMMENT ON VIEW l.viewed IS 'of a view'",
    "CALL l.set_option('parquet_compression', 'zstd')",
    "CALL l.set_option('target_file_size', '5MB', table_name => 'rows')",
    "CALL l.set_option('parquet_row_group_size', 2000, schema => 'second')",
    # What is gone again.
    "CREATE TABLE l.gone(i int)",
    "INSERT INTO l.gone SELECT range FROM range(5)",
    "DELETE FROM l.gone WHERE i = 3",
    "ALTER TABLE l.gone SET PARTITIONED BY (i)",
    "COMMENT ON COLUMN l.gone.i IS 'c'",
    "DROP TABLE l.gone",
    "DROP SCHEMA l.second CASCADE",
    "DROP VIEW l.gone_view",
    # Several changes in one snapshot.
    "BEGIN",
    "CREATE TABLE l.first(a int)",
    "CREATE TABLE l.other(a int)",
    "INSERT INTO l.rows VALUES (5000, 'tx', 1)",
    "COMMIT",
    "BEGIN",
    ("CALL l.set_commit_message('someone', 'why', extra_info => '{}')", FROM_03),
    "INSERT INTO l.rows VALUES (5001, 'tx', 1)",
    "COMMIT",
    "CREATE OR REPLACE TABLE l.first AS SELECT 5 AS b",
    # Snapshots that are no more (8 made the table `types`), files that wait to be removed, tables that only old snapshots have.
    "CALL ducklake_expire_snapshots('l', versions => [5, 6, 8])",
    "DROP TABLE l.flushed",
    "INSERT INTO l.rows SELECT 5002 + i, 'last', 1 FROM range(5) t(i)",
]
