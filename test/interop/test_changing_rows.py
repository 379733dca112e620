"""Rows that one client wrote are changed by the other, in every form that a change can take on disk; then the other way round."""

import pytest

import probes
from conftest import PROVE
from test_metadata import TABLES, comparable, dump, normal
from test_turns import compare

MAKE = [
    "CREATE TABLE lake.t (i INTEGER, s VARCHAR, l INTEGER[])",
    "INSERT INTO lake.t SELECT range, 'a' || range, [range] FROM range(200)",
    "INSERT INTO lake.t SELECT range, 'b' || range, NULL FROM range(200, 260)",
]
CHANGE = [
    "DELETE FROM lake.t WHERE i % 20 = {turn}",
    "UPDATE lake.t SET s = s || '{turn}', l = list_append(l, {turn}) WHERE i % 17 = {turn} OR i > 255",
    "MERGE INTO lake.t USING (SELECT range * 13 AS i, 'm{turn}' AS s FROM range(15, 25)) m ON t.i = m.i "
    "WHEN MATCHED THEN UPDATE SET s = m.s WHEN NOT MATCHED THEN INSERT (i, s) VALUES (m.i, m.s)",
    "DELETE FROM lake.t WHERE rowid % 50 = {turn}",
    "BEGIN",
    "INSERT INTO lake.t SELECT 1000 + range, 'own', [] FROM range(20)",
    "DELETE FROM lake.t WHERE i IN (1002, 1003) OR i = 30 + {turn}",
    "UPDATE lake.t SET s = 'own, updated' WHERE i = 1005 OR i = 40 + {turn}",
    "UPDATE lake.t SET s = 'twice' WHERE i = 40 + {turn}",
    "DELETE FROM lake.t WHERE i > 1010 AND i < 2000",
    "UPDATE lake.t SET i = i + 1000 + 100 * {turn} WHERE i BETWEEN 1000 AND 1020",
    "COMMIT",
]
FEED = "SELECT snapshot_id, rowid, change_type, i, s, l FROM ducklake_table_changes('lake', 'main', 't', 0, {last})"


def changes(turn):
    return [statement.format(turn=turn) for statement in CHANGE]


def rows(world, client):
    with world.session(client) as session:
        return session.run("SELECT * FROM lake.t ORDER BY ALL")


@pytest.mark.parametrize(("first", "attach"), [
    ("tarn", "DATA_INLINING_ROW_LIMIT 0"), ("tarn", "DATA_INLINING_ROW_LIMIT 5"),
    ("reference", "DATA_INLINING_ROW_LIMIT 5"), ("reference", "DATA_INLINING_ROW_LIMIT 0, WRITE_DELETION_VECTORS true")])
def test_by_turns(world, first, attach):
    """`attach` is how the reference has the lake attached: what it writes small stays in the catalog."""
    clients = [first, "reference" if first == "tarn" else "tarn"]
    options = {"tarn": "DATA_INLINING_ROW_LIMIT 0", "reference": attach}
    world.script(first, MAKE, options[first])
    for turn in range(3):
        world.script(clients[turn % 2], changes(turn), options[clients[turn % 2]])
        assert rows(world, "tarn") == rows(world, "reference")
    if "VECTORS" not in attach:  # whose history the reference does not keep
        compare(world, "tarn", "reference")
    world.script(clients[0], ["DELETE FROM lake.t WHERE i < 100", "DELETE FROM lake.t"])
    assert rows(world, "tarn") == rows(world, "reference") == []
    world.check()


def test_reference_sees_the_same_feed(worlds):
    """The change feed of what Tarn did is that of the same statements by the reference."""
    ours, theirs = worlds
    feeds = []
    for world, client in ((ours, "tarn"), (theirs, "reference")):
        world.script(client, MAKE, "DATA_INLINING_ROW_LIMIT 0")
        world.script(client, changes(3)[:4], "DATA_INLINING_ROW_LIMIT 0")
        with world.session("reference") as session:
            last = probes.snapshots(session)[-1]
            feeds.append(sorted(map(str, session.run(FEED.format(last=last)))))
    # New rows of a MERGE take their ids in the order in which threads write them.
    assert [without_new_ids(row) for row in feeds[0]] == [without_new_ids(row) for row in feeds[1]]


def without_new_ids(row):
    return row if "insert" not in row else row.split(",", 2)[0] + row.split(",", 2)[2]


def test_one_transaction_in_the_feed(worlds):
    """What a transaction did to rows of its own and of others is told as one net change per row."""
    ours, _ = worlds
    ours.script("tarn", MAKE, "DATA_INLINING_ROW_LIMIT 0")
    ours.script("tarn", changes(3)[4:], "DATA_INLINING_ROW_LIMIT 0")
    with ours.session("reference") as session:
        feed = session.run("SELECT change_type, i, s FROM ducklake_table_changes('lake', 'main', 't', 4, 4) ORDER BY ALL")
        assert feed.count(("update_preimage", "43", "a43")) == 1
        assert feed.count(("update_postimage", "43", "twice")) == 1
        assert feed.count(("delete", "33", "a33")) == 1
        assert session.run("SELECT count(*), count(DISTINCT rowid), max(rowid) < 1000 FROM lake.t") == [
            (str(260 - 1 + 9), str(260 - 1 + 9), "true" if not PROVE else "false")]


def test_same_script_same_rows(worlds):
    """Rows of the catalog after changes: uuids, times and sizes aside, they are the reference's."""
    script = MAKE + [
        "DELETE FROM lake.t WHERE i = 7",
        "UPDATE lake.t SET s = 'u' WHERE i = 8",
        "DELETE FROM lake.t WHERE i = 9",
        "UPDATE lake.t SET s = 'v' WHERE i = 8",
        "BEGIN", "DELETE FROM lake.t WHERE i = 10", "DELETE FROM lake.t WHERE i = 11", "COMMIT",
        "BEGIN", "INSERT INTO lake.t VALUES (500, 'x', NULL), (501, 'y', NULL)", "DELETE FROM lake.t WHERE i = 501", "COMMIT",
        "DELETE FROM lake.t WHERE i = 12345",
        "BEGIN", "DELETE FROM lake.t WHERE i = 12", "ROLLBACK",
        "CREATE TABLE lake.e AS SELECT range AS i FROM range(5)",
        "TRUNCATE lake.e",
    ]
    ours, theirs = worlds
    ours.script("tarn", script, "DATA_INLINING_ROW_LIMIT 0")
    theirs.script("reference", script, "DATA_INLINING_ROW_LIMIT 0")
    mine, reference = comparable(dump(ours)), comparable(dump(theirs))
    # The reference leaves delete files of ended data files alive.
    ended = {row["data_file_id"]: row["end_snapshot"] for row in reference["data_file"] if row["end_snapshot"]}
    for row in reference["delete_file"]:
        row["end_snapshot"] = row["end_snapshot"] or ended.get(row["data_file_id"])
    found = []
    for table in TABLES:
        got = sorted(normal(ours, table, row) for row in mine[table])
        wanted = sorted(normal(theirs, table, row) for row in reference[table])
        found += [f"{table} lacks  {dict(row)}" for row in wanted if row not in got][:5]
        found += [f"{table} has    {dict(row)}" for row in got if row not in wanted][:5]
        if len(got) != len(wanted):
            found.append(f"{table} has {len(got)} rows for {len(wanted)}")
    assert not found, "\n".join(found)
    ours.check()


def test_registered_files_and_old_shapes(world):
    """Files that the lake did not write, and rows that are older than a column, are changed by what they read as."""
    outside = f"{world.folder}/outside.parquet"
    world.script("reference", [
        f"COPY (SELECT range::INTEGER AS i, 'out' || range AS s FROM range(50)) TO '{outside}'",
        "CREATE TABLE lake.t (i INTEGER, s VARCHAR)",
        "INSERT INTO lake.t SELECT range, 'in' || range FROM range(100, 150)",
        f"CALL ducklake_add_data_files('lake', 't', '{outside}')",
        "ALTER TABLE lake.t ADD COLUMN k INTEGER DEFAULT 3",
        "INSERT INTO lake.t SELECT range, 'new' || range, range % 5 FROM range(200, 250)",
        "ALTER TABLE lake.t RENAME COLUMN s TO label",
        "DELETE FROM lake.t WHERE i IN (1, 101, 201)",
    ], "DATA_INLINING_ROW_LIMIT 2")
    with world.session("tarn", "DATA_INLINING_ROW_LIMIT 0") as tarn:
        assert tarn.run("DELETE FROM lake.t WHERE k = 3 AND i % 10 = 4") == [("10",)]
        assert tarn.run("UPDATE lake.t SET k = k + 1 WHERE label IN ('out2', 'in102', 'new202')") == [("3",)]
        assert tarn.run("MERGE INTO lake.t USING (VALUES (3), (103), (203), (999)) v(i) ON t.i = v.i "
                        "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (i) VALUES (v.i)") == [("4",)]
        assert tarn.run("SELECT i, label, k FROM lake.t WHERE i % 100 < 6 ORDER BY i") == [
            ("0", "out0", "3"), ("2", "out2", "4"), ("5", "out5", "3"), ("100", "in100", "3"), ("102", "in102", "4"),
            ("105", "in105", "3"), ("200", "new200", "0"), ("202", "new202", "3"), ("204", "new204", "4"),
            ("205", "new205", "0")]
        tarn.run("BEGIN")
        tarn.run("DELETE FROM lake.t WHERE i < 50")
        tarn.run("ROLLBACK")
    compare(world, "tarn", "reference")
    world.script("reference", ["UPDATE lake.t SET label = 'end' WHERE i < 120", "DELETE FROM lake.t WHERE i > 240",
                               "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)",
                               "CALL ducklake_merge_adjacent_files('lake')"])
    world.script("tarn", ["DELETE FROM lake.t WHERE i BETWEEN 110 AND 220", "UPDATE lake.t SET k = 0 WHERE label = 'end'"],
                 "DATA_INLINING_ROW_LIMIT 0")
    assert rows(world, "tarn") == rows(world, "reference")
    world.check()


def test_rows_of_partitioned_tables_go_come_and_move(world):
    world.script("reference", [
        "CREATE TABLE lake.t (i INTEGER, p VARCHAR)",
        "ALTER TABLE lake.t SET PARTITIONED BY (p)",
        "INSERT INTO lake.t SELECT range, 'p' || range % 3 FROM range(90)",
    ], "DATA_INLINING_ROW_LIMIT 0")
    with world.session("tarn", "DATA_INLINING_ROW_LIMIT 0") as tarn:
        assert tarn.run("DELETE FROM lake.t WHERE p = 'p0'") == [("30",)]
        assert tarn.run("DELETE FROM lake.t WHERE p = 'p1' AND i < 10") == [("3",)]
        assert tarn.run("UPDATE lake.t SET p = 'p5' WHERE i = 20") == [("1",)]
        assert tarn.run("MERGE INTO lake.t USING (SELECT 1 AS i) s ON t.i = s.i "
                        "WHEN NOT MATCHED THEN INSERT (i) VALUES (s.i)") == [("1",)]
    compare(world, "tarn", "reference")


def test_inlined_rows_that_were_changed_are_gone_at_once(world):
    """Of more rows than one vector holds, with whole vectors of them removed."""
    world.script("reference", ["CREATE TABLE lake.t (i INTEGER, s VARCHAR, l INTEGER[])",
                               "INSERT INTO lake.t SELECT range, 's', [range] FROM range(10000)"],
                 "DATA_INLINING_ROW_LIMIT 10000")
    with world.session("tarn", "DATA_INLINING_ROW_LIMIT 0") as tarn:
        tarn.run("BEGIN")
        assert tarn.run("DELETE FROM lake.t WHERE i BETWEEN 100 AND 8000") == [("7901",)]
        assert tarn.run("UPDATE lake.t SET s = 'new', l = NULL WHERE i >= 9999") == [("1",)]
        assert tarn.run("SELECT count(*), count(l), sum(i) FROM lake.t") == [("2099", "2098", str(sum(
            [*range(100), *range(8001, 10000)])))]
        assert tarn.run("UPDATE lake.t SET s = s || '!' WHERE i < 1 OR i > 9998") == [("2",)]
        changed = "SELECT rowid, i, s, l FROM lake.t WHERE s <> 's' ORDER BY i"
        assert tarn.run(changed) == [("0", "0", "s!", "[0]"), ("9999", "9999", "new!", None)]
        tarn.run("COMMIT")
        assert tarn.run("SELECT count(*) FROM lake.t") == [("2099",)]
    compare(world, "tarn", "reference")
    world.check()
