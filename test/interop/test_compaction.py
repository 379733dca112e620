"""Files of one client are merged and rewritten by the other; every version stays what it was, for both.

Rows that an update wrote are left to Tarn: the reference gives them other row ids when it merges them with their neighbours.
"""

import random

import pytest

TURNS = 4
UPKEEP = ("CALL ducklake_merge_adjacent_files('lake')", "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0.2)")


def change(rnd):
    if rnd.random() < 0.6:
        first = rnd.randrange(30)
        return f"INSERT INTO lake.t SELECT range, 'v' || range FROM range({first}, {first + rnd.choice([12, 15, 20])})"
    return f"DELETE FROM lake.t WHERE i % {rnd.choice([2, 3, 5])} = {rnd.randrange(2)}"


def versions(session, columns="i, s"):
    snapshots = [int(row[0]) for row in session.run("SELECT snapshot_id FROM ducklake_snapshots('lake') ORDER BY 1")]
    found = {}
    for snapshot in snapshots:
        try:
            rows = session.run(f"SELECT rowid, {columns} FROM lake.t AT (VERSION => {snapshot})")
        except Exception as problem:
            if "does not exist" not in str(problem):
                raise
            continue
        found[snapshot] = sorted(tuple(row) for row in rows)
    return found


def same_for_both(world, known, columns="i, s"):
    for who in ("reference", "tarn"):
        with world.session(who) as session:
            found = versions(session, columns)
            assert {snapshot: found[snapshot] for snapshot in known} == known, f"read by {who}"
            assert found[max(found)] == known[max(known)], f"read by {who}"
    world.check()


@pytest.mark.parametrize("seed", range(2))
def test_each_compacts_what_the_other_wrote(world, seed):
    rnd = random.Random(seed)
    known = {}
    with world.session("tarn") as tarn:
        tarn.run("CREATE TABLE lake.t (i INTEGER, s VARCHAR)")
    for turn in range(TURNS):
        who = ("reference", "tarn")[turn % 2]
        with world.session(who) as session:
            for _ in range(rnd.randint(3, 5)):
                session.run(change(rnd))
            known.update(versions(session))
            session.run(rnd.choice(UPKEEP))
            after = versions(session)
            assert {snapshot: after[snapshot] for snapshot in known} == known, f"turn {turn}, {who}"
    same_for_both(world, known)


def test_what_the_reference_partitions_sorts_and_registers_is_compacted(world, tmp_path):
    """A new file keeps partition and folder; files without field ids, and values of folder names, go into it."""
    outside = tmp_path / "outside" / "p=9"
    outside.mkdir(parents=True)
    with world.session("reference") as session:
        session.run("CREATE TABLE lake.t (i INTEGER, p INTEGER, s VARCHAR)")
        session.run("ALTER TABLE lake.t SET PARTITIONED BY (p)")
        for first in (0, 20, 40):
            session.run(f"INSERT INTO lake.t SELECT range, CASE range % 3 WHEN 0 THEN NULL ELSE range % 3 END, 's' || range "
                        f"FROM range({first}, {first + 20})")
        session.run(f"COPY (SELECT range::INTEGER AS i, 'out' AS S FROM range(100, 115)) TO '{outside}/a.parquet'")
        session.run(f"COPY (SELECT range::INTEGER AS i, 'out' AS s FROM range(115, 130)) TO '{outside}/b.parquet'")
        for name in "ab":
            session.run(f"CALL ducklake_add_data_files('lake', 't', '{outside}/{name}.parquet', hive_partitioning => true)")
        session.run("DELETE FROM lake.t WHERE i IN (1, 22) OR i BETWEEN 100 AND 111")
        session.run("ALTER TABLE lake.t ADD COLUMN added INTEGER DEFAULT 5")
        known = versions(session, "i, p, s")
    with world.session("tarn") as session:
        assert sorted(session.run("SELECT files_processed, files_created FROM ducklake_rewrite_data_files('lake', "
                                  "delete_threshold => 0)")) == [("1", "1"), ("2", "1")]
        # What was rewritten has the new column, so it is left apart.
        assert session.run("SELECT files_processed, files_created FROM ducklake_merge_adjacent_files('lake')") == [
            ("3", "1")] * 2
        for value, folder in (("1", "p=1"), ("2", "p=2"), (None, "p=__HIVE_DEFAULT_PARTITION__")):
            condition = "IS NULL" if value is None else f"= {value}"
            files = session.run(f"SELECT DISTINCT contains(filename, '/{folder}/') FROM lake.t WHERE p {condition}")
            assert files == [("true",)], folder
        assert session.run("SELECT count(*), min(added), max(added) FROM lake.t WHERE p = 9") == [("18", "5", "5")]
    same_for_both(world, known, "i, p, s")
    with world.session("reference") as session:
        session.run("INSERT INTO lake.t SELECT range, 1, 'new', 6 FROM range(200, 220)")
        session.run("INSERT INTO lake.t SELECT range, 1, 'new', 6 FROM range(220, 240)")
        known = versions(session, "i, p, s")
        session.run("CALL ducklake_merge_adjacent_files('lake')")
        session.run("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)")
    same_for_both(world, known, "i, p, s")


def test_compactions_leave_alike_rows_in_the_catalog(worlds):
    """Where the clients differ on purpose, see docs/differences.md, the rows are not compared."""
    script = ["CREATE TABLE lake.t (i INTEGER, s VARCHAR)",
              *(f"INSERT INTO lake.t SELECT range + {n}00, 'a' FROM range(20)" for n in range(4)),
              "CREATE TABLE lake.u AS SELECT range::INTEGER AS i FROM range(30)",
              "DELETE FROM lake.t WHERE i % 100 < 12 AND i > 200", "DELETE FROM lake.u WHERE i < 15",
              "CALL ducklake_merge_adjacent_files('lake')",
              "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0.5)",
              "CALL ducklake_merge_adjacent_files('lake')"]
    questions = [
        "SELECT table_id, begin_snapshot, end_snapshot, record_count, row_id_start, partial_max FROM "
        "__ducklake_metadata_lake.ducklake_data_file",
        "SELECT begin_snapshot, end_snapshot, delete_count FROM __ducklake_metadata_lake.ducklake_delete_file",
        "SELECT snapshot_id, list_sort(string_split(changes_made, ',')) FROM "
        "__ducklake_metadata_lake.ducklake_snapshot_changes WHERE snapshot_id > 1",
        "SELECT snapshot_id, schema_version, next_catalog_id, next_file_id FROM __ducklake_metadata_lake.ducklake_snapshot",
        "SELECT table_id, record_count, next_row_id FROM __ducklake_metadata_lake.ducklake_table_stats",
        "SELECT table_id, column_id, value_count, null_count, min_value, max_value FROM "
        "__ducklake_metadata_lake.ducklake_file_column_stats",
        "SELECT count(*) FROM __ducklake_metadata_lake.ducklake_files_scheduled_for_deletion",
    ]
    answers = []
    for world, who in zip(worlds, ("tarn", "reference")):
        world.script(who, script)
        with world.session(who) as session:
            answers.append([session.outcome(question) for question in questions])
    for question, ours, theirs in zip(questions, *answers):
        assert ours == theirs, question
