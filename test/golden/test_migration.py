"""Golden lakes of older versions: Tarn migrates them, when it is asked to, into what the reference makes of them, and both
clients read what the old one read. Where the reference loses something, Tarn's rows are stated here."""

import random
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from golden import VERSIONS
from harness.clients import quoted
from make_golden import rows_at_snapshots
from sessions import Session

MIGRATE = "AUTOMATIC_MIGRATION"


def attached(client, lake, options=""):
    session = Session(client, lake.folder)
    session.run(f"ATTACH {quoted(lake.lake.attach)} AS l" + (f" ({options})" if options else ""))
    return session


def migrated(client, lake):
    attached(client, lake, MIGRATE).close()
    return lake.dump()


def refused(client, lake, options=""):
    with Session(client, lake.folder) as session:
        return session.error(f"ATTACH {quoted(lake.lake.attach)} AS l" + (f" ({options})" if options else ""))


def reference_can(version, catalog):
    """The reference cannot migrate SQLite catalogs from before 0.3."""
    return catalog != "sqlite" or version not in ("0.1", "0.2")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_rows_are_those_of_the_reference(golden, client, catalog, version):
    lake = golden(version)
    old = lake.dump()
    ours = migrated(client("tarn"), lake)
    if not reference_can(version, catalog):
        assert lake.version_now() == "1.0"
        return
    other = golden(version)
    theirs = migrated(client("reference"), other)
    assert list(ours) == list(theirs)
    known = {"ducklake_schema_versions"}
    if version != "0.4":
        known |= {"ducklake_data_file", "ducklake_column"}
    for name in ours:
        assert ours[name].columns == theirs[name].columns, name
        if name not in known:
            here = [[str(value).replace(str(other.folder), str(lake.folder)) for value in row] for row in theirs[name].rows]
            assert [[str(value) for value in row] for row in ours[name].rows] == here, name
    if version == "0.4":
        assert ours["ducklake_schema_versions"] == theirs["ducklake_schema_versions"]
        return
    # A merged file has rows of snapshots 2 to 4. The reference forgets it, and shows all of them at 2.
    data_files = ours["ducklake_data_file"]
    maxima = data_files.column("partial_max")
    assert sum(a != b for a, b in zip(maxima, theirs["ducklake_data_file"].column("partial_max"))) == 1
    infos = dict(zip(old["ducklake_data_file"].column("data_file_id"), old["ducklake_data_file"].column("partial_file_info")))
    for file, highest in zip(data_files.column("data_file_id"), maxima):
        assert highest == (infos[file] and re.findall(r"(?:partial_max:|\|)(\d+)", infos[file])[-1]), infos[file]
    # The word NULL as a default, and rows that 0.2 did not end: the reference leaves both.
    columns, plain = ours["ducklake_column"], ("end_snapshot", "default_value", "default_value_type", "default_value_dialect")
    assert columns.without(*plain) == theirs["ducklake_column"].without(*plain)
    words = [row for row in columns.rows if "expression" in row]
    assert [row[columns.columns.index("default_value")] for row in words] == ["'NULL'"]
    # Their versions have a row for each table that was there, ours for those that changed; snapshot 8 is no more, it made
    # the table that snapshot 9 is the next one to know.
    versions = {tuple(row) for row in ours["ducklake_schema_versions"].rows}
    others = {tuple(row) for row in theirs["ducklake_schema_versions"].rows}
    assert len(versions) == len(ours["ducklake_schema_versions"].rows) < len(others)
    assert versions - others == ({("8", "2", "2")} if version in ("0.1", "0.2") else set())


@pytest.mark.parametrize("version", VERSIONS)
def test_both_clients_read_what_the_old_one_read(golden, client, version, tarn_command):
    lake = golden(version)
    migrated(client("tarn"), lake)
    for name in ("tarn", "reference"):
        with attached(client(name), lake) as session:
            found = [row for row in rows_at_snapshots(session.run) if version != "0.1" or row[2] != "registered"]
            assert found == lake.rows, name
            assert session.run("SELECT count(*) FROM l.viewed") == session.run("SELECT count(*) FROM l.rows")
            assert session.run("SELECT * FROM l.aliased ORDER BY c1 LIMIT 1") == [("0",)]
    done = subprocess.run([tarn_command, "check", lake.path, "--deep"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", VERSIONS)
def test_both_clients_go_on(golden, client, version, tarn_command):
    lake = golden(version)
    migrated(client("tarn"), lake)
    rows = None
    for name in ("tarn", "reference", "tarn"):
        with attached(client(name), lake) as session:
            assert rows is None or rows == session.run("SELECT * FROM l.shaped ORDER BY ALL")
            session.run("INSERT INTO l.shaped VALUES (11, 0.5, {'p': 1, 'r': 'one'})")
            session.run("INSERT INTO l.shaped SELECT i, i, {'p': i, 'r': 'many'} FROM range(20) t(i)")
            session.run("UPDATE l.shaped SET y = 7 WHERE xx = 3")
            session.run("DELETE FROM l.types WHERE i1 IS NULL")
            session.run(f"ALTER TABLE l.defaults ADD COLUMN by_{name}_{rows is None} int DEFAULT 3")
            session.run("INSERT INTO l.defaults(n) VALUES (2)")
            session.run("INSERT INTO l.parts VALUES ('k0', '2020-01-01', 9)")
            session.run("CALL ducklake_merge_adjacent_files('l', 'shaped')")
            session.run("COMMENT ON TABLE l.rows IS 'later'")
            rows = session.run("SELECT * FROM l.shaped ORDER BY ALL")
    done = subprocess.run([tarn_command, "check", lake.path, "--deep"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", ["0.1", "0.4"])
def test_nobody_migrates_by_accident(golden, client, version):
    lake = golden(version)
    before = lake.dump()
    tarn = client("tarn")
    for options in ("", "READ_ONLY", f"{MIGRATE} false"):
        assert (f"DuckLake catalog version mismatch: catalog version is {version}, but the extension requires version 1.0. "
                "To automatically migrate, set AUTOMATIC_MIGRATION to TRUE when attaching.") in refused(tarn, lake, options)
    for options in (f"READ_ONLY, {MIGRATE}", f"SNAPSHOT_VERSION 3, {MIGRATE}"):
        assert (f"Failed to migrate DuckLake from v{version} to v1.0: the lake is open read-only. Attach it once for writing, "
                "with AUTOMATIC_MIGRATION.") in refused(tarn, lake, options)
    # What could not be opened afterwards is left alone.
    assert "does not match existing data path" in refused(tarn, lake, f"DATA_PATH 'elsewhere', {MIGRATE}")
    assert "the database is not encrypted" in refused(tarn, lake, f"ENCRYPTED, {MIGRATE}")
    assert lake.dump() == before


def test_a_broken_catalog_keeps_its_version(golden, client):
    lake = golden("0.3")
    lake.run("UPDATE ducklake_data_file SET partial_file_info = 'what?' WHERE partial_file_info IS NOT NULL;")
    before = lake.dump()
    message = refused(client("tarn"), lake, MIGRATE)
    assert "Failed to migrate DuckLake from v0.3 to v1.0: The data file 3 has the partial_file_info \"what?\"" in message
    assert lake.dump() == before


@pytest.mark.parametrize("version", ["0.2"])
def test_a_killed_migration_leaves_the_old_version_or_the_new_one(golden, client, version):
    dice = random.Random(17)
    lake = golden(version)
    before, whole = lake.dump(), None
    for _ in range(5):
        session = Session(client("tarn"), lake.folder)
        session.begin(f"ATTACH {quoted(lake.lake.attach)} AS l ({MIGRATE})")
        time.sleep(dice.uniform(0, 0.04))
        session.kill()
        now = lake.dump()
        if now != before:
            whole = now
            break
    with attached(client("tarn"), lake, MIGRATE) as session:
        assert rows_at_snapshots(session.run) == lake.rows
    assert whole is None or whole == lake.dump()


def test_two_migrate_at_once(golden, client, catalog):
    if catalog == "duckdb":
        pytest.skip("one process at a time has such a file")
    lake = golden("0.2")
    sessions = [Session(client("tarn"), lake.folder) for _ in range(3)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda s: s.run(f"ATTACH {quoted(lake.lake.attach)} AS l ({MIGRATE})"), sessions))
    for session in sessions:
        assert session.run("SELECT count(*) FROM l.rows") == [("23",)]
        session.close()
    assert lake.version_now() == "1.0"
