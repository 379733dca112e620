"""Makes a lake with the reference client that has about everything a lake can have, and prints how many rows each table has
at every third snapshot, as JSON: python reference_lake.py CATALOG FILE [expire SNAPSHOT...]

Run in a process of its own: the reference and Tarn are never loaded into one.
"""

import json
import os
import sys
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness.clients import packaged_extension  # noqa: E402

TYPES = ("b boolean, i1 tinyint, i2 smallint, i4 int, i8 bigint, u1 utinyint, u8 ubigint, h hugeint, f float, d double, "
         "dec decimal(10,2), dt date, t time, ts timestamp, tz timestamptz, tss timestamp_s, tms timestamp_ms, "
         "tns timestamp_ns, iv interval, v varchar, bl blob, u uuid, j json, l int[], s struct(x int, y varchar), "
         "m map(varchar, int)")
VALUES = ("true, 1, 2, 3, 4, 5, 6, 7, 1.5, 'nan', 3.25, '2020-01-01', '12:00', '2020-01-01 00:00:00.5', "
          "'2020-01-01 00:00:00+00', '2020-01-01', '2020-01-01', '2020-01-01', interval 1 day, 'x', 'ab'::blob, "
          "'f79c3e09-677c-4bbd-a479-3f349cb785e7', '{\"a\":1}', [1, null], {'x': 1, 'y': 'z'}, map {'k': 1}")
SPREAD = "SELECT 'k' || (i % 3), DATE '2020-01-01' + i::int * 30, i FROM range(60) t(i)"


def statements(external):
    limit = "CALL l.set_option('data_inlining_row_limit', {})".format
    vectors = "CALL l.set_option('write_deletion_vectors', {})".format
    # Every type, inlined and in files, with NULLs, NaN and infinities.
    yield f"CREATE TABLE l.types({TYPES})"
    yield f"INSERT INTO l.types VALUES ({VALUES})"
    yield limit(0)
    yield f"INSERT INTO l.types VALUES ({VALUES}), ({', '.join(['NULL'] * 26)})"
    yield "INSERT INTO l.types(d, f, dt, ts) VALUES ('inf', '-inf', 'infinity', '-infinity')"
    # Deletes of every form, updates.
    yield "CREATE TABLE l.f(i bigint NOT NULL, v varchar DEFAULT 'x', d double)"
    yield "INSERT INTO l.f SELECT i, 'v' || i, i / 2 FROM range(1000) t(i)"
    yield "INSERT INTO l.f SELECT i, 'v' || i, i / 2 FROM range(1000, 2000) t(i)"
    yield "DELETE FROM l.f WHERE i % 10 = 3"
    yield "DELETE FROM l.f WHERE i % 10 = 4"
    yield limit(10)
    yield "DELETE FROM l.f WHERE i IN (5, 6, 1500)"
    yield "UPDATE l.f SET v = 'upd' WHERE i BETWEEN 100 AND 400"
    yield "UPDATE l.f SET v = 'upd2' WHERE i IN (1, 2)"
    yield "INSERT INTO l.f VALUES (-1, NULL, 'nan')"
    yield "INSERT INTO l.f VALUES (-2, 'q', 0)"
    yield "DELETE FROM l.f WHERE i = -2"
    yield "CREATE TABLE l.dv AS SELECT range AS i FROM range(500)"
    yield vectors("true")
    yield "DELETE FROM l.dv WHERE i < 50"
    yield "DELETE FROM l.dv WHERE i > 450"
    yield vectors("false")
    yield "DELETE FROM l.dv WHERE i BETWEEN 100 AND 150"
    yield "DELETE FROM l.dv"
    # Shapes that change, with inlined rows of each.
    yield "CREATE TABLE l.a(x int, y float, s struct(p int))"
    yield "INSERT INTO l.a VALUES (1, 0.1, {'p': 1})"
    yield "INSERT INTO l.a SELECT i, i / 3, {'p': i} FROM range(100) t(i)"
    yield "ALTER TABLE l.a ADD COLUMN z int DEFAULT 42"
    yield "INSERT INTO l.a VALUES (2, 0.2, {'p': 2}, 3)"
    yield "ALTER TABLE l.a RENAME COLUMN x TO xx"
    yield "ALTER TABLE l.a ALTER y TYPE double"
    yield "INSERT INTO l.a VALUES (3, 0.3, {'p': 2}, 3)"
    yield "ALTER TABLE l.a ADD COLUMN s.r varchar"
    yield "ALTER TABLE l.a DROP COLUMN z"
    yield "INSERT INTO l.a VALUES (4, 0.4, {'p': 2, 'r': 'k'})"
    yield "ALTER TABLE l.a RENAME TO aa"
    # Partitions, sort order.
    yield "CREATE TABLE l.p(k varchar, dt date, n int)"
    yield "ALTER TABLE l.p SET PARTITIONED BY (k, year(dt), bucket(4, n))"
    yield f"INSERT INTO l.p {SPREAD}"
    yield "INSERT INTO l.p VALUES (NULL, NULL, NULL), ('', '2020-02-02', 1)"
    yield "INSERT INTO l.p SELECT NULL, NULL, NULL FROM range(20)"
    yield "ALTER TABLE l.p RESET PARTITIONED BY"
    yield f"INSERT INTO l.p {SPREAD}"
    yield "ALTER TABLE l.p SET SORTED BY (n DESC)"
    yield f"INSERT INTO l.p {SPREAD}"
    yield "DELETE FROM l.p WHERE n < 20"
    # Files of others.
    yield "CREATE TABLE l.r(id int, k varchar, nn struct(a int))"
    yield f"COPY (SELECT i::int id, {{'a': i::int}} nn FROM range(30) t(i)) TO '{external}/k=zz/x.parquet'"
    yield f"CALL ducklake_add_data_files('l', 'r', '{external}/k=zz/x.parquet', hive_partitioning => true)"
    yield "DELETE FROM l.r WHERE id = 3"
    # Maintenance.
    yield "CREATE TABLE l.m(i int)"
    for part in range(4):
        yield f"INSERT INTO l.m SELECT range + {part * 100} FROM range(100)"
    yield "CALL ducklake_merge_adjacent_files('l', 'm')"
    yield "INSERT INTO l.m SELECT range + 1000 FROM range(100)"
    yield "DELETE FROM l.m WHERE i BETWEEN 1000 AND 1090"
    yield "UPDATE l.m SET i = i + 5 WHERE i < 50"
    yield "CALL ducklake_rewrite_data_files('l', 'm', delete_threshold => 0.1)"
    yield "CREATE TABLE l.fl(i int, v varchar)"
    for part in range(4):
        yield f"INSERT INTO l.fl VALUES ({part}, 'a'), ({part + 10}, 'b')"
    yield "DELETE FROM l.fl WHERE i = 1"
    yield "DELETE FROM l.fl WHERE i = 10"
    yield "UPDATE l.fl SET v = 'c' WHERE i = 2"
    yield "CALL ducklake_flush_inlined_data('l', table_name => 'fl')"
    yield "INSERT INTO l.fl VALUES (99, 'z')"
    # Everything else that leaves rows, and things that are gone again.
    yield "CREATE SCHEMA l.s2"
    yield "CREATE TABLE l.s2.t(i int)"
    yield "INSERT INTO l.s2.t VALUES (1)"
    yield "CREATE VIEW l.v AS SELECT * FROM l.f"
    yield "CREATE MACRO l.mc(a) AS a + 1"
    yield "CREATE MACRO l.mt(a) AS TABLE SELECT a"
    yield "COMMENT ON TABLE l.f IS 'hi'"
    yield "COMMENT ON COLUMN l.f.v IS 'col'"
    yield "COMMENT ON TABLE l.f IS NULL"
    yield "COMMENT ON VIEW l.v IS 'vv'"
    yield 'CREATE TABLE l."od d""t"("sel ect" int)'
    yield 'INSERT INTO l."od d""t" SELECT range FROM range(20)'
    yield "CREATE TABLE l.gone(i int)"
    yield "INSERT INTO l.gone SELECT range FROM range(20)"
    yield "INSERT INTO l.gone VALUES (1)"
    yield "DELETE FROM l.gone WHERE i = 3"
    yield "ALTER TABLE l.gone SET PARTITIONED BY (i)"
    yield "COMMENT ON COLUMN l.gone.i IS 'c'"
    yield "DROP TABLE l.gone"
    yield "DROP SCHEMA l.s2 CASCADE"
    yield "DROP VIEW l.v"
    yield "DROP MACRO l.mc"
    yield "BEGIN"
    yield "CREATE TABLE l.tx1 AS SELECT 1 AS a"
    yield "CREATE TABLE l.tx2 AS SELECT 2 AS a"
    yield "INSERT INTO l.f VALUES (5000, 'tx', 1)"
    yield "DROP TABLE l.tx2"
    yield "COMMIT"


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def row_counts(connection):
    counts = []
    snapshots = connection.execute("SELECT snapshot_id FROM ducklake_snapshots('l') ORDER BY 1 DESC").fetchall()
    for (snapshot,) in snapshots[::3]:  # with the newest
        tables = connection.execute(
            f"SELECT s.schema_name, t.table_name FROM __ducklake_metadata_l.ducklake_table t "
            f"JOIN __ducklake_metadata_l.ducklake_schema s USING (schema_id) "
            f"WHERE t.begin_snapshot <= {snapshot} AND (t.end_snapshot IS NULL OR t.end_snapshot > {snapshot}) "
            f"AND s.begin_snapshot <= {snapshot} AND (s.end_snapshot IS NULL OR s.end_snapshot > {snapshot})").fetchall()
        for schema, table in tables:
            # Row ids make it scan: a bare count may be answered from statistics.
            rows = connection.execute(f"SELECT count(*) FROM (SELECT rowid FROM l.{quoted(schema)}.{quoted(table)} "
                                      f"AT (VERSION => {snapshot}))").fetchone()[0]
            counts.append([snapshot, schema, table, rows])
    return counts


def main():
    catalog, file, *expire = sys.argv[1:]
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "autoinstall_known_extensions": "false"})
    for name in ["ducklake"] + (["sqlite_scanner"] if catalog == "sqlite" else []):
        connection.execute(f"LOAD '{packaged_extension(name)}'")
    external = file + ".external"
    os.makedirs(external + "/k=zz")
    connection.execute(f"ATTACH 'ducklake:{catalog}:{file}' AS l (DATA_PATH '{file}.files/')")
    for statement in statements(external):
        connection.execute(statement)
    if expire:
        connection.execute(f"CALL ducklake_expire_snapshots('l', versions => [{', '.join(expire[1:])}])")
    print(json.dumps(row_counts(connection)))


if __name__ == "__main__":
    main()
