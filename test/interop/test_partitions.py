"""Partitions and sort orders: the same rows in the catalog whichever client writes, and each reads, prunes and goes on
with what the other wrote."""

import pytest

from test_metadata import dump
from test_turns import compare

LAYOUT = [
    "CREATE TABLE lake.t (id INTEGER, g VARCHAR, d DATE, ts TIMESTAMP)",
    "INSERT INTO lake.t VALUES (0, 'before', '2019-01-01', '2019-01-01')",
    "ALTER TABLE lake.t SET PARTITIONED BY (g, year(d), month(ts))",
    "ALTER TABLE lake.t SET PARTITIONED BY (g, year(d), month(ts))",
    "INSERT INTO lake.t SELECT range, ['a', 'b=1', 'c/d', NULL, '', '%41 é'][1 + range % 6], DATE '2020-11-15' + (range * 20)::INTEGER, "
    "TIMESTAMP '2020-11-15 23:00:00' + INTERVAL (range * 9) HOUR FROM range(48)",
    "INSERT INTO lake.t VALUES (1, 'x', 'infinity', '-infinity'), (2, 'x', '0044-03-15 (BC)', NULL)",
    "UPDATE lake.t SET g = 'moved' WHERE id IN (3, 10, 20)",
    "ALTER TABLE lake.t SET PARTITIONED BY (day(d), hour(ts), bucket(3, id))",
    "INSERT INTO lake.t SELECT range, 'late', DATE '2021-02-03', TIMESTAMP '2021-02-03 04:05:06' FROM range(100, 130)",
    "ALTER TABLE lake.t RENAME COLUMN id TO number",
    "ALTER TABLE lake.t SET SORTED BY (number DESC, lower(g) || 'x' ASC NULLS FIRST)",
    "ALTER TABLE lake.t RENAME COLUMN g TO \"a group\"",
    "CREATE TABLE lake.flat (k INTEGER, v VARCHAR)",
    "CALL ducklake_set_option('lake', 'hive_file_pattern', false, table_name => 'flat')",
    "ALTER TABLE lake.flat SET PARTITIONED BY (k)",
    "INSERT INTO lake.flat SELECT range % 3, 'v' || range FROM range(9)",
    "ALTER TABLE lake.t RESET PARTITIONED BY",
    "INSERT INTO lake.t SELECT range, 'none', NULL, NULL FROM range(200, 220)",
    "ALTER TABLE lake.t RESET SORTED BY",
]

TYPES = {
    "BOOLEAN": "true false", "TINYINT": "-3 5", "SMALLINT": "-3 5", "INTEGER": "34 -1", "BIGINT": "34 123456789012",
    "UTINYINT": "3", "UINTEGER": "34", "UBIGINT": "18446744073709551615", "FLOAT": "1.5 nan 0.1 inf", "DOUBLE": "0.1 1e300 nan",
    "DECIMAL(10,2)": "14.20 -14.20", "DECIMAL(38,3)": "14.200", "DATE": "2017-11-16 infinity 0044-03-15_(BC)",
    "TIME": "22:31:08 22:31:08.5", "TIMESTAMP": "2017-11-16_22:31:08 infinity", "TIMESTAMP_S": "2017-11-16_22:31:08",
    "TIMESTAMP_MS": "2017-11-16_22:31:08.123", "TIMESTAMP_NS": "2017-11-16_22:31:08.123456789",
    "TIMESTAMPTZ": "2017-11-16_22:31:08+00", "VARCHAR": "iceberg a/b%c=d", "UUID": "f79c3e09-677c-4bbd-a479-3f349cb785e7",
    "BLOB": "iceberg", "HUGEINT": "34", "UHUGEINT": "34", "TIMETZ": "22:31:08+02", "INTERVAL": "1_month_2_days",
}
# What the reference cannot keep whole in Parquet.
NOT_READ = {"HUGEINT", "UHUGEINT", "TIMETZ", "INTERVAL"}


def values(texts):
    return [text.replace("_", " ") for text in texts.split()]


def layout_rows(world):
    """What the catalog says of layout; files of one snapshot come in any order."""
    tables = dump(world)
    partitions = {}
    for row in tables["file_partition_value"]:
        partitions.setdefault(row["data_file_id"], []).append((row["partition_key_index"], row["partition_value"]))
    found = {name: sorted(map(str, tables[name]))
             for name in ("partition_info", "partition_column", "sort_info", "sort_expression", "schema_versions")}
    # A reset leaves a spec without keys in the reference's catalog.
    specs = {row["partition_id"] for row in tables["partition_column"]}
    found["partition_info"] = sorted(str(row) for row in tables["partition_info"] if row["partition_id"] in specs)
    found["words"] = sorted((row["snapshot_id"], row["changes_made"]) for row in tables["snapshot_changes"])
    found["files"] = sorted(
        str((row["table_id"], row["begin_snapshot"], row["end_snapshot"], row["path"].rpartition("/")[0], row["record_count"],
             row["partition_id"], sorted(partitions.get(row["data_file_id"], [])))) for row in tables["data_file"])
    return found


@pytest.mark.parametrize("catalog", ["sqlite"])
def test_same_script_same_layout(worlds):
    ours, theirs = worlds
    ours.script("tarn", LAYOUT, "DATA_INLINING_ROW_LIMIT 0")
    theirs.script("reference", LAYOUT, "DATA_INLINING_ROW_LIMIT 0")
    assert layout_rows(ours) == layout_rows(theirs)


@pytest.mark.parametrize("catalog", ["sqlite"])
@pytest.mark.parametrize("key", ["c", "bucket(1000, c)"])
def test_values_of_every_type(worlds, key):
    """Also what hashes to which bucket; then each client finds the other's rows by it."""
    ours, theirs = worlds
    script, questions = [], []
    for number, (type_name, texts) in enumerate(TYPES.items()):
        script.append(f"CREATE TABLE lake.t{number} (c {type_name}, n INTEGER)")
        script.append(f"ALTER TABLE lake.t{number} SET PARTITIONED BY ({key})")
        for text in values(texts):
            script.append(f"INSERT INTO lake.t{number} VALUES ('{text}', 1)")
            if type_name not in NOT_READ:
                questions.append(f"SELECT count(*) FROM lake.t{number} WHERE c = '{text}'::{type_name}")
        script.append(f"INSERT INTO lake.t{number} VALUES (NULL, 2)")
    for world, client in ((ours, "tarn"), (theirs, "reference")):
        world.script(client, script, "DATA_INLINING_ROW_LIMIT 0")
    assert layout_rows(ours)["files"] == layout_rows(theirs)["files"]
    for world, client in ((ours, "reference"), (theirs, "tarn")):
        with world.session(client) as session:
            for question in questions:
                assert session.run(question) == [("1",)], f"{client}: {question}"


def test_by_turns(world):
    world.script("tarn", LAYOUT, "DATA_INLINING_ROW_LIMIT 10")
    compare(world, "tarn", "reference")
    world.script("reference", [
        "ALTER TABLE lake.t SET PARTITIONED BY (\"a group\", month(ts))",
        "INSERT INTO lake.t SELECT range, 'reference', '2022-01-01', NULL FROM range(300, 320)",
        "UPDATE lake.t SET \"a group\" = 'again' WHERE number > 310",
        "ALTER TABLE lake.t SET SORTED BY (number)",
        "CALL ducklake_flush_inlined_data('lake')",
        "CALL ducklake_merge_adjacent_files('lake')",
    ])
    compare(world, "reference", "tarn")
    world.script("tarn", [
        "INSERT INTO lake.t SELECT range, 'reference', '2022-01-01', NULL FROM range(400, 420)",
        "INSERT INTO lake.t VALUES (7, 'few', NULL, NULL), (6, NULL, '2020-01-01', NULL)",
        "UPDATE lake.t SET \"a group\" = 'tarn' WHERE number BETWEEN 300 AND 305",
        "DELETE FROM lake.t WHERE number = 7",
        "CALL ducklake_flush_inlined_data('lake')",
    ], "DATA_INLINING_ROW_LIMIT 10")
    compare(world, "tarn", "reference")
    for client in ("tarn", "reference"):
        with world.session(client) as session:
            assert session.run("SELECT count(*) FROM lake.t WHERE number = 305 AND \"a group\" = 'tarn'") == [("1",)]
            assert session.run("SELECT count(*) FROM lake.t WHERE \"a group\" = 'reference'") == [("25",)]


@pytest.mark.parametrize("catalog", ["sqlite"])
def test_zones_of_sessions_lose_no_rows(world):
    rows = ", ".join(f"({hour}, TIMESTAMPTZ '2025-01-31 12:00:00+00' + INTERVAL {hour} HOUR)" for hour in range(0, 48, 3))
    for client, table, zone in (("tarn", "ours", "Asia/Tokyo"), ("reference", "theirs", "America/New_York")):
        world.script(client, [f"CREATE TABLE lake.{table} (i INTEGER, ts TIMESTAMPTZ)",
                              f"ALTER TABLE lake.{table} SET PARTITIONED BY (month(ts), day(ts), hour(ts))",
                              f"SET TimeZone = '{zone}'", f"INSERT INTO lake.{table} VALUES {rows}"], "DATA_INLINING_ROW_LIMIT 0")
    for client in ("tarn", "reference"):
        with world.session(client) as session:
            for zone in ("UTC", "Pacific/Kiritimati", "America/Los_Angeles"):
                session.run(f"SET TimeZone = '{zone}'")
                for table in ("ours", "theirs"):
                    for hour in range(0, 48, 3):
                        ts = f"TIMESTAMPTZ '2025-01-31 12:00:00+00' + INTERVAL {hour} HOUR"
                        assert session.run(f"SELECT i FROM lake.{table} WHERE ts = {ts}") == [(str(hour),)], (client, zone)
