"""What an expiry of one client leaves, the other reads and keeps up; both schedule the same files."""

import pytest

SCRIPT = [
    "CALL lake.set_option('data_inlining_row_limit', 3)",
    "CREATE SCHEMA lake.s",
    "CREATE TABLE lake.t (i INTEGER, s VARCHAR)",
    "CREATE TABLE lake.s.gone AS SELECT range AS i FROM range(20)",
    "INSERT INTO lake.t SELECT range, 'f' FROM range(20)",
    "INSERT INTO lake.t VALUES (100, 'inlined'), (101, 'inlined')",
    "DELETE FROM lake.t WHERE i < 6",
    "DELETE FROM lake.t WHERE i = 100",
    "DELETE FROM lake.s.gone WHERE i = 1",
    "ALTER TABLE lake.t ADD COLUMN late INTEGER DEFAULT 5",
    "COMMENT ON TABLE lake.t IS 'old'",
    "COMMENT ON TABLE lake.t IS 'new'",
    "CREATE VIEW lake.v AS SELECT 1 AS one",
    "CREATE MACRO lake.m(a) AS a + 1",
    "DROP VIEW lake.v",
    "DROP MACRO lake.m",
    "DROP TABLE lake.s.gone",
    "DROP SCHEMA lake.s",
    "INSERT INTO lake.t SELECT range, 'g', 6 FROM range(200, 220)",
]
# How the rows of one client's catalog look after the same script and expiry in the other's.
SAME = [
    "SELECT snapshot_id, schema_version, next_catalog_id FROM {m}.ducklake_snapshot",
    "SELECT snapshot_id FROM {m}.ducklake_snapshot_changes",
    "SELECT schema_id, schema_name FROM {m}.ducklake_schema",
    "SELECT table_id, table_name, begin_snapshot FROM {m}.ducklake_table",
    "SELECT table_id, column_id, begin_snapshot, end_snapshot FROM {m}.ducklake_column",
    "SELECT count(*) FROM {m}.ducklake_view",
    "SELECT count(*) FROM {m}.ducklake_macro",
    "SELECT count(*) FROM {m}.ducklake_macro_impl",
    "SELECT count(*) FROM {m}.ducklake_macro_parameters",
    "SELECT object_id, begin_snapshot, end_snapshot, value FROM {m}.ducklake_tag",
    "SELECT table_id, begin_snapshot, end_snapshot, record_count FROM {m}.ducklake_data_file",
    "SELECT table_id, begin_snapshot, end_snapshot, delete_count FROM {m}.ducklake_delete_file",
    "SELECT table_id, column_id, min_value, max_value FROM {m}.ducklake_file_column_stats",
    "SELECT table_id, record_count, next_row_id FROM {m}.ducklake_table_stats",
    "SELECT table_id, begin_snapshot, schema_version FROM {m}.ducklake_schema_versions",
    "SELECT regexp_replace(path, 'ducklake-.*', ''), path_is_relative::BOOLEAN FROM "
    "{m}.ducklake_files_scheduled_for_deletion",
]


def expire(session):
    last = session.run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')")[0][0]
    session.run(f"CALL ducklake_expire_snapshots('lake', versions => {list(range(int(last) + 1))})")


def test_expiry_leaves_the_same_rows(worlds):
    answers = []
    for world, who in zip(worlds, ("tarn", "reference")):
        world.script(who, SCRIPT)
        with world.session(who) as session:
            expire(session)
            answers.append([session.outcome(question.format(m="__ducklake_metadata_lake")) for question in SAME])
    for question, ours, theirs in zip(SAME, *answers):
        assert ours == theirs, question


@pytest.mark.parametrize("first", ["tarn", "reference"])
def test_each_keeps_up_what_the_other_expired(world, first):
    second = "reference" if first == "tarn" else "tarn"
    rows = "SELECT rowid, i, s, late FROM lake.t ORDER BY ALL"
    with world.session(first) as session:
        for statement in SCRIPT:
            session.run(statement)
        known = session.run(rows)
        expire(session)
    with world.session(second) as session:
        assert session.run(rows) == known
        assert len(session.run("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)")) == 1
        session.run("CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)")
        session.run("ALTER TABLE lake.t ADD COLUMN later INTEGER")
        session.run("CALL ducklake_flush_inlined_data('lake')")
        expire(session)
        assert session.run(rows) == known
    with world.session(first) as session:
        assert session.run(rows) == known
        session.run("DELETE FROM lake.t WHERE i = 7")
        expire(session)
        session.run("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)")
        assert session.run(rows) == [row for row in known if int(row[1]) != 7]
    world.check()
