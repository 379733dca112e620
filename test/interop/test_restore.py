"""What Tarn has restored the reference reads, changes and keeps up; its expiry and clean-up lose nothing of it."""

import os
from pathlib import Path

import pytest

SCRIPT = [
    "CALL lake.set_option('data_inlining_row_limit', 3)",
    "CREATE SCHEMA lake.s",
    "CREATE TABLE lake.t (i INTEGER, p VARCHAR)",  # 3
    "ALTER TABLE lake.t SET PARTITIONED BY (p)",
    "INSERT INTO lake.t SELECT range, 'p' || range % 2 FROM range(20)",
    "INSERT INTO lake.t VALUES (100, 'p0'), (101, 'p1')",
    "DELETE FROM lake.t WHERE i < 6",  # 7
    "UPDATE lake.t SET i = i + 1000 WHERE i IN (8, 100)",
    "CREATE TABLE lake.s.d AS SELECT range AS i FROM range(20)",
    "CREATE VIEW lake.v AS SELECT count(*) AS n FROM lake.t",
    "CREATE MACRO lake.m(a) AS a + 1",  # 11
]
RUIN = [
    "ALTER TABLE lake.t ADD COLUMN late INTEGER DEFAULT 5",
    "ALTER TABLE lake.t RENAME COLUMN i TO id",
    "ALTER TABLE lake.t RESET PARTITIONED BY",
    "INSERT INTO lake.t SELECT range, 'late', 6 FROM range(200, 220)",
    "CALL ducklake_flush_inlined_data('lake')",
    "CALL ducklake_merge_adjacent_files('lake')",
    "DELETE FROM lake.t",
    "DROP VIEW lake.v",
    "DROP MACRO lake.m",
    "DROP TABLE lake.s.d",
    "DROP SCHEMA lake.s",
]
QUESTIONS = [
    "SELECT rowid, * FROM lake.t",
    "SELECT rowid, * FROM lake.s.d",
    "SELECT n FROM lake.v",
    "SELECT lake.m(3)",
    "SELECT count(*) FROM lake.t WHERE p = 'p1'",
]


def answers(session):
    return [session.outcome(question) for question in QUESTIONS]


def newest(session):
    return int(session.run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')")[0][0])


@pytest.mark.parametrize("ruined_by", ["tarn", "reference"])
def test_the_reference_lives_on_with_a_restored_lake(world, ruined_by):
    with world.session("tarn") as tarn:
        for statement in SCRIPT:
            tarn.run(statement)
        known = answers(tarn)
        version = newest(tarn)
    world.script(ruined_by, RUIN)
    with world.session("tarn") as tarn:
        tarn.run(f"CALL tarn_restore('lake', version => {version})")
        assert answers(tarn) == known
    world.check()
    with world.session("reference") as reference:
        assert answers(reference) == known
        restored = newest(reference)
        assert reference.outcome(f"SELECT rowid, * FROM lake.t AT (VERSION => {version})") == known[0]
        came = reference.run(f"SELECT count(*) FROM ducklake_table_changes('lake', 's', 'd', {restored}, {restored})")
        assert came == [("20",)]
        # Everything but the restored version goes, with the files that only older ones need.
        reference.run(f"CALL ducklake_expire_snapshots('lake', versions => {list(range(restored))})")
        reference.run("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)")
        reference.run("CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)")
        assert answers(reference) == known
        reference.run("INSERT INTO lake.t SELECT range, 'p1' FROM range(300, 310)")
        reference.run("DELETE FROM lake.t WHERE i = 7")
        reference.run("UPDATE lake.s.d SET i = i + 1 WHERE i > 15")
        changed = answers(reference)
        reference.run("CALL ducklake_flush_inlined_data('lake')")
        reference.run("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)")
        assert answers(reference) == changed
    with world.session("tarn") as tarn:
        assert answers(tarn) == changed
        tarn.run("CALL ducklake_merge_adjacent_files('lake')")
        assert answers(tarn) == changed
    world.check()


def test_an_undropped_table_is_the_same_table(world):
    with world.session("reference") as reference:
        reference.run("CREATE TABLE lake.t AS SELECT range AS i FROM range(20)")
        reference.run("DELETE FROM lake.t WHERE i = 3")
        known = reference.outcome("SELECT rowid, i FROM lake.t")
        reference.run("DROP TABLE lake.t")
    world.script("tarn", ["CALL tarn_undrop('lake', 't')"])
    with world.session("reference") as reference:
        assert reference.outcome("SELECT rowid, i FROM lake.t") == known
        assert reference.outcome("SELECT rowid, i FROM lake.t AT (VERSION => 2)") == known
        reference.run("INSERT INTO lake.t SELECT range FROM range(50, 70)")
        assert reference.run("SELECT count(*), count(DISTINCT rowid), max(rowid) FROM lake.t") == [("39", "39", "39")]
    world.check()


def test_files_that_are_gone_are_named_and_nothing_is_done(world):
    with world.session("tarn") as tarn:
        tarn.run("CREATE TABLE lake.t AS SELECT range AS i FROM range(20)")
        tarn.run("INSERT INTO lake.t SELECT range FROM range(20, 40)")
        files = sorted(Path(world.lake.data).rglob("*.parquet"))
        tarn.run("DELETE FROM lake.t WHERE i >= 0")
        os.rename(files[1], world.folder + "/elsewhere")
        assert "cannot go back to version 2: its file" in tarn.error("CALL tarn_restore('lake', version => 2)")
        assert sorted(Path(world.lake.data).rglob("*.parquet")) == files[:1], "no link was left"
        os.rename(world.folder + "/elsewhere", files[1])
        tarn.run("CALL tarn_restore('lake', version => 2)")
        assert tarn.run("SELECT count(*), max(rowid) FROM lake.t") == [("40", "39")]
    world.check()
