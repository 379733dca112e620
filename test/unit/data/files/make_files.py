"""Makes the Parquet files that footer_test.cc reads: python make_files.py, with the duckdb package. They are committed, so that the
tests need no DuckDB."""
import pathlib

import duckdb

here = pathlib.Path(__file__).parent
TYPES = [
    ("b", "BOOLEAN", "true", "false"), ("i1", "TINYINT", "-128", "127"), ("i2", "SMALLINT", "-5", "5"),
    ("i4", "INTEGER", "-5", "5"), ("i8", "BIGINT", "-9223372036854775808", "5"), ("u1", "UTINYINT", "0", "255"),
    ("u2", "USMALLINT", "0", "65535"), ("u4", "UINTEGER", "0", "4294967295"),
    ("u8", "UBIGINT", "0", "18446744073709551615"), ("f", "FLOAT", "-1.5", "2"), ("d", "DOUBLE", "0.1", "inf"),
    ("d4", "DECIMAL(4,2)", "-1.5", "3.25"), ("d9", "DECIMAL(9,2)", "-1.5", "3.25"),
    ("d18", "DECIMAL(18,3)", "-1.5", "3.25"), ("d38", "DECIMAL(38,10)", "-1.5", "3.25"),
    ("dt", "DATE", "1969-12-31", "infinity"), ("t", "TIME", "01:02:03.5", "12:00:00"),
    ("ts", "TIMESTAMP", "-infinity", "2020-01-01 00:00:00.25"), 
    ("tz", "TIMESTAMPTZ", "2020-01-01 00:00:00+00", "2020-01-02 00:00:00+00"),
    ("tms", "TIMESTAMP_MS", "1960-01-01", "2020-01-01 00:00:00.25"),
    ("tns", "TIMESTAMP_NS", "1960-01-01", "2020-01-01 00:00:00.123456789"), ("iv", "INTERVAL", "1 day", "2 days"),
    ("v", "VARCHAR", "a", "é"), ("bl", "BLOB", r"\x00\xFF", "b"),
    ("u", "UUID", "00000000-0000-0000-0000-000000000001", "f79c3e09-677c-4bbd-a479-3f349cb785e7"),
    ("j", "JSON", "[1]", "{}"), ("h", "HUGEINT", "1", "2"), ("tt", "TIMETZ", "01:00:00+00", "02:00:00+00"),
]
connection = duckdb.connect()
connection.execute("CREATE TABLE t (" + ", ".join(f"{name} {kind}" for name, kind, *_ in TYPES) + ")")
for values in ([row[2] for row in TYPES], [row[3] for row in TYPES], [None] * len(TYPES)):
    connection.execute(f"INSERT INTO t VALUES ({', '.join('?' for _ in TYPES)})", values)
ids = ", ".join(f"{name}: {i + 1}" for i, (name, *_) in enumerate(TYPES))
connection.execute(f"COPY t TO '{here}/types.parquet' (FIELD_IDS {{{ids}}})")

# Three row groups; nested columns. Field ids as a lake gives them: depth first.
connection.execute(f"""
    COPY (SELECT (i // 50)::INTEGER AS id,
                 CASE WHEN i % 10 = 0 THEN NULL ELSE {{'x': (i // 100)::BIGINT, 'y': 'y' || i % 3}} END AS s,
                 [i::INTEGER % 7, NULL] AS l, MAP {{'k' || i % 2: 0.5::DOUBLE}} AS m
          FROM range(5000) r(i))
    TO '{here}/nested.parquet' (ROW_GROUP_SIZE 2048, FIELD_IDS {{id: 1, s: {{__duckdb_field_id: 2, x: 3, y: 4}},
        l: {{__duckdb_field_id: 5, element: 6}}, m: {{__duckdb_field_id: 7, key: 8, value: 9}}}})""")
connection.execute(f"COPY (SELECT 1 AS id) TO '{here}/no_ids.parquet'")
