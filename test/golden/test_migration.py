"""Golden lakes of older versions: Tarn migrates them, when it is asked to, into what the reference makes of them, and both
clients read what the old one read, and go on. Where the reference loses something, Tarn's rows are stated here."""

import random
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from golden import VERSIONS
from harness.clients import quoted
from make_golden import digest, identifier
from sessions import Session

MIGRATE = "AUTOMATIC_MIGRATION"
# What differs from the reference until 0.3, see compare_older, and until 0.2: what a dropped table had, which lives on there.
KNOWN = {"ducklake_schema_versions", "ducklake_data_file", "ducklake_column"}
ENDED = {"ducklake_delete_file", "ducklake_partition_info", "ducklake_column_tag"}
DEFAULTS = ("end_snapshot", "default_value", "default_value_type", "default_value_dialect")


def attach(lake, options=""):
    return f"ATTACH {quoted(lake.lake.attach)} AS l" + (f" ({options})" if options else "")


def attached(client, lake, options=""):
    session = Session(client, lake.folder)
    session.run(attach(lake, options))
    return session


def assert_reads_what_the_old_client_read(session, lake):
    for snapshot, schema, table, count, expected in lake.rows:
        name = f"l.{identifier(schema)}.{identifier(table)} AT (VERSION => {snapshot})"
        rows = session.run(f"SELECT rowid::VARCHAR, COLUMNS(*)::VARCHAR FROM {name}")
        assert (len(rows), digest(rows)) == (count, expected), f"{session.name}: {name}: {rows}"
    assert session.run("SELECT count(*) FROM l.viewed") == session.run("SELECT count(*) FROM l.rows")
    assert session.run("SELECT * FROM l.aliased ORDER BY c1 LIMIT 1") == [("0",)]


def assert_feed_tells_each_delete_once(session, lake):
    """The delete files of older lakes hold all positions of the ones before: the reference tells of them again and again."""
    snapshots = [row[0] for row in lake.rows if row[2] == "rows"]
    feed = f"ducklake_table_changes('l', 'main', 'rows', {snapshots[0]}, {snapshots[-1]})"
    deletes = f"SELECT count(*), count(DISTINCT rowid) FROM {feed} WHERE change_type = 'delete'"
    assert session.run(deletes) == [("8", "8")]


def go_on(session, turn):
    session.run(f"INSERT INTO l.shaped VALUES ({turn}, 0.5, {{'p': 1, 'r': 'one'}})")
    session.run("INSERT INTO l.shaped SELECT i, i, {'p': i, 'r': 'many'} FROM range(20) t(i)")
    session.run("UPDATE l.shaped SET y = 7 WHERE xx = 3")
    session.run("DELETE FROM l.types WHERE i1 IS NULL")
    session.run(f"ALTER TABLE l.defaults ADD COLUMN turn_{turn} int DEFAULT 3")
    session.run("INSERT INTO l.defaults(n) VALUES (2)")
    if session.name == "tarn":  # 1.4.4 kept dates in PostgreSQL as dates; the reference now wants texts there, and fails
        session.run("INSERT INTO l.parts VALUES ('k0', '2020-01-01', 9)")
    session.run("CALL ducklake_merge_adjacent_files('l', 'shaped')")
    return session.run("SELECT * FROM l.shaped ORDER BY ALL")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_migrated_lake_is_as_the_reference_makes_it_and_reads_as_before(golden, client, catalog, version, tarn_command):
    lake = golden(version)
    old = lake.dump()
    with attached(client("tarn"), lake, MIGRATE) as session:
        assert_reads_what_the_old_client_read(session, lake)
        assert_feed_tells_each_delete_once(session, lake)
    ours = lake.dump()
    if catalog == "duckdb" or version in ("0.3", "0.4"):  # others the reference cannot migrate
        twin = golden(version)
        attached(client("reference"), twin, MIGRATE).close()
        compare(version, old, ours, twin.dump(), lambda value: value and value.replace(str(twin.folder), str(lake.folder)))
    if version in ("0.2", "0.3"):  # the versions that bring most
        with attached(client("reference"), lake) as session:
            assert_reads_what_the_old_client_read(session, lake)
            rows = go_on(session, 1)
    with attached(client("tarn"), lake) as session:
        assert version not in ("0.2", "0.3") or session.run("SELECT * FROM l.shaped ORDER BY ALL") == rows
        go_on(session, 2)
    done = subprocess.run([tarn_command, "check", lake.path, "--deep"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def compare(version, old, ours, theirs, moved):
    assert list(ours) == list(theirs)
    for name, table in ours.items():
        assert table.columns == theirs[name].columns, name
        if name in ENDED and version in ("0.1", "0.2"):
            assert table.without("end_snapshot") == theirs[name].without("end_snapshot")
        elif name not in KNOWN or version == "0.4":
            assert table.rows == [[moved(value) for value in row] for row in theirs[name].rows], name
    if version != "0.4":
        compare_older(version, old, ours, theirs)


def compare_older(version, old, ours, theirs):
    # A merged file has rows of snapshots 2 to 4. The reference forgets it, and shows all of them at 2.
    infos = dict(zip(old["ducklake_data_file"].column("data_file_id"), old["ducklake_data_file"].column("partial_file_info")))
    files = ours["ducklake_data_file"]
    for file, highest in zip(files.column("data_file_id"), files.column("partial_max")):
        assert highest == (infos[file] and re.findall(r"(?:partial_max:|\|)(\d+)", infos[file])[-1]), infos[file]
    merged, other = files.column("partial_max"), theirs["ducklake_data_file"].column("partial_max")
    assert sum(a != b for a, b in zip(merged, other)) == 1
    assert len(files.without("partial_max", "path")) == len(theirs["ducklake_data_file"].rows)
    # The word NULL as a default, and rows that 0.2 did not end: the reference leaves both.
    columns = ours["ducklake_column"]
    assert columns.without(*DEFAULTS) == theirs["ducklake_column"].without(*DEFAULTS)
    words = [value for value, kind in zip(columns.column("default_value"), columns.column("default_value_type"))
             if kind == "expression"]
    assert words == ["'NULL'"]
    # Its versions have a row for each table that was there, ours for those that changed or began inlined rows. Snapshot 8, which is no more, made
    # a table; in 0.2 nobody wrote down with which version.
    versions = [tuple(row) for row in ours["ducklake_schema_versions"].rows]
    others = {tuple(row) for row in theirs["ducklake_schema_versions"].rows}
    assert len(versions) == len(set(versions)) < len(others)
    assert set(versions) - others == ({("8", "2", "2")} if version in ("0.1", "0.2") else set())


@pytest.mark.parametrize("version", ["0.1", "0.4"])
def test_nobody_migrates_by_accident(golden, client, version):
    lake = golden(version)
    before = lake.dump()
    with Session(client("tarn"), lake.folder) as session:
        for options in ("", "READ_ONLY", f"{MIGRATE} false"):
            assert (f"DuckLake catalog version mismatch: catalog version is {version}, but the extension requires version 1.0. "
                    "To automatically migrate, set AUTOMATIC_MIGRATION to TRUE when attaching."
                    ) in session.error(attach(lake, options))
        for options in (f"READ_ONLY, {MIGRATE}", f"SNAPSHOT_VERSION 3, {MIGRATE}"):
            assert (f"Failed to migrate DuckLake from v{version} to v1.0: the lake is open read-only. Attach it once for "
                    "writing, with AUTOMATIC_MIGRATION.") in session.error(attach(lake, options))
        # What could not be opened afterwards is left alone.
        assert "does not match existing data path" in session.error(attach(lake, f"DATA_PATH 'elsewhere', {MIGRATE}"))
        assert "is not encrypted" in session.error(attach(lake, f"ENCRYPTED, {MIGRATE}"))
    assert lake.dump() == before


def test_a_broken_catalog_keeps_its_version(golden, client):
    lake = golden("0.3")
    lake.run("UPDATE ducklake_data_file SET partial_file_info = 'what?' WHERE data_file_id = 3;")
    before = lake.dump()
    with Session(client("tarn"), lake.folder) as session:
        assert ("Failed to migrate DuckLake from v0.3 to v1.0: The data file 3 has the partial_file_info \"what?\""
                ) in session.error(attach(lake, MIGRATE))
    assert lake.dump() == before


def test_a_killed_migration_leaves_the_old_version_or_the_new_one(golden, client):
    dice = random.Random(17)
    lake = golden("0.2")
    before, whole = lake.dump(), None
    for _ in range(3):
        session = Session(client("tarn"), lake.folder)
        session.begin(attach(lake, MIGRATE))
        time.sleep(dice.uniform(0, 0.15))
        session.kill()
        now = lake.dump()
        if now != before:
            whole = now
            break
    attached(client("tarn"), lake, MIGRATE).close()
    assert whole is None or whole == lake.dump()


def test_several_migrate_at_once(golden, client, catalog):
    if catalog == "duckdb":
        pytest.skip("one process at a time has such a file")
    lake = golden("0.2")
    sessions = [Session(client("tarn"), lake.folder) for _ in range(3)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda session: session.run(attach(lake, MIGRATE)), sessions))
    for session in sessions:
        assert session.run("SELECT count(*) FROM l.merged") == [("10",)]
        session.close()
    assert lake.version_now() == "1.0"
