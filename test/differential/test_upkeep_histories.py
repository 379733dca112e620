"""Random histories of Tarn alone, with upkeep at random places, which changes nothing that can be seen: flushes, merges,
rewrites, and of the snapshots that are kept also expiry, clean-up, the removal of orphans and restores.

Before and after each of them the rows of every snapshot, with row ids and the snapshots that they came with, and the change
feed are the same; and the feed is the difference of neighbouring versions (feed_model). In the end the reference reads every version.
TARN_UPKEEP_SEEDS, as in 1..200, is for long runs.
"""

import os
import random
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "interop")]

from harness import clients, feed_model, postgres  # noqa: E402
from sessions import SqlError, World  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()
COLUMNS = ("i", "s")
STEPS = 22
LAYOUTS = (None, None, "PARTITIONED BY (bucket(3, i))", "SORTED BY (s DESC, i)")


def seeds():
    first, _, last = os.environ.get("TARN_UPKEEP_SEEDS", "12..15").partition("..")
    return range(int(first), int(last or first) + 1)


@pytest.fixture(scope="module")
def server():
    with postgres.Server() as running:
        yield running


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def world(request, tmp_path):
    catalog = request.param
    home = tmp_path / "home"
    home.mkdir()
    tarn = clients.Client("tarn", catalog, str(BUILD / "tarn.duckdb_extension"), home=str(home))
    dsn = request.getfixturevalue("server").dsn if catalog == "postgres" else None
    name = "flush_" + "".join(letter for letter in request.node.name if letter.isalnum())
    lake = clients.new_lake(catalog, tmp_path / "lake", dsn, name.lower())
    reference = clients.Client("reference", catalog, home=str(home))
    return World(lake, tarn, reference, str(tmp_path), str(BUILD / "tarn"))


def change(rnd):
    where = f"i % {rnd.choice([2, 3, 5, 7, 11])} = {rnd.randrange(3)}"
    kind = rnd.choice(("insert", "insert", "delete", "update", "merge"))
    if kind == "insert":
        first = rnd.randrange(30)
        return (f"INSERT INTO lake.t (i, s) SELECT range, 'v' || range "
                f"FROM range({first}, {first + rnd.choice([1, 2, 5, 20])})")
    if kind == "merge":
        return (f"MERGE INTO lake.t USING (SELECT DISTINCT i FROM range({rnd.randrange(20)}, 40, 7) r(i)) v ON t.i = v.i "
                "WHEN MATCHED THEN UPDATE SET s = s || 'm' WHEN NOT MATCHED THEN INSERT (i, s) VALUES (v.i, 'new')")
    return f"DELETE FROM lake.t WHERE {where}" if kind == "delete" else f"UPDATE lake.t SET s = s || 'u' WHERE {where}"


def kept(session):
    return [int(row[0]) for row in session.run("SELECT snapshot_id FROM ducklake_snapshots('lake') ORDER BY 1")]


def runs(snapshots):
    """The first and the last of each run of snapshots without a gap."""
    ends = [at for at in snapshots if at + 1 not in snapshots]
    return list(zip([at for at in snapshots if at - 1 not in snapshots], ends))


def rows_at(session, snapshot):
    rows = session.run(f"SELECT rowid, snapshot_id, i, s FROM lake.t AT (VERSION => {snapshot})")
    return sorted(tuple(row) for row in rows)


def everything(session):
    """What every snapshot shows, and the feed of those whose predecessor is kept, too."""
    snapshots = [at for at in kept(session) if at > 0]
    feed = [row for first, last in runs(snapshots) if first < last
            for row in feed_model.feed(session.run, "main", "t", COLUMNS, first + 1, last)]
    return {snapshot: rows_at(session, snapshot) for snapshot in snapshots}, sorted(feed, key=repr)


FLUSHES = ("CALL ducklake_flush_inlined_data('lake')", "CALL ducklake_flush_inlined_data('lake', table_name => 't')")
MERGES = ("CALL ducklake_merge_adjacent_files('lake')", "CALL ducklake_merge_adjacent_files('lake', max_compacted_files => 1)",
          "CALL ducklake_merge_adjacent_files('lake', 't', max_file_size => 900)")
REWRITES = ("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)",
            "CALL ducklake_rewrite_data_files('lake', 't', delete_threshold => 0.3)", "CHECKPOINT lake")
REMOVALS = ("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)",
            "CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)")


def upkeep(session, rnd):
    versions, feed = everything(session)
    call = rnd.choice(rnd.choice((FLUSHES, MERGES, REWRITES)))
    session.run(call)
    after, feed_after = everything(session)
    for snapshot, rows in versions.items():
        assert after[snapshot] == rows, f"snapshot {snapshot} is not what it was before {call}"
    newest = max(versions)
    # Rows that are rewritten are of the rewrite's snapshot from then on.
    seen = (lambda rows: sorted((row[0], *row[2:]) for row in rows)) if call in REWRITES else list
    for snapshot, rows in after.items():
        assert snapshot <= newest or seen(rows) == seen(versions[newest]), f"{call} changed rows"
    assert feed_after == feed, f"the feed is not what it was before {call}"


def expire(session, rnd):
    """Some snapshots are let go, and files with them: those that are kept show what they showed."""
    versions, feed = everything(session)
    gone = [at for at in versions if at != max(versions) and rnd.random() < rnd.choice((0.1, 0.5, 1))]
    session.run(f"CALL ducklake_expire_snapshots('lake', versions => {gone}::UBIGINT[])")
    for call in rnd.sample(REMOVALS, rnd.randint(0, 2)):
        session.run(call)
    after, feed_after = everything(session)
    assert after == {at: rows for at, rows in versions.items() if at not in gone}, f"kept versions changed: {gone} expired"
    told = [row for row in feed if int(row[0]) in after and int(row[0]) - 1 in after]
    assert feed_after == told, f"the feed of kept versions changed: {gone} expired"


def expire_under_a_reader(session, rnd):
    """A reader keeps its rows, or is told in one sentence that its snapshot is gone."""
    session.run("BEGIN", "reader")
    question = "SELECT rowid, i, s FROM lake.t ORDER BY ALL"
    before = session.run(question, "reader")
    session.run(change(rnd))
    versions = kept(session)[1:-1]
    session.run(f"CALL ducklake_expire_snapshots('lake', versions => {versions}::UBIGINT[])")
    for call in rnd.sample(REMOVALS, rnd.randint(0, 2)):
        session.run(call)
    try:
        assert session.run(question, "reader") == before
    except SqlError as error:
        assert "expired" in str(error), error
    session.run("ROLLBACK", "reader")


def restore(session, rnd):
    """The table, or the lake, becomes what it was, and no version changes."""
    versions, feed = everything(session)
    at = rnd.choice(sorted(versions))
    what = rnd.choice(("'lake'", "'lake', 't'"))
    session.run(f"CALL tarn_restore({what}, version => {at})")
    after, feed_after = everything(session)
    changed = [version for version, rows in versions.items() if after[version] != rows]
    assert not changed, f"versions {changed} are not what they were before the restore of {at}"
    assert [row[:1] + row[2:] for row in after[max(after)]] == [row[:1] + row[2:] for row in versions[at]]
    assert [row for row in feed_after if int(row[0]) <= max(versions)] == feed


def flush_in_transaction(session, rnd):
    statements = [change(rnd) for _ in range(rnd.randint(1, 3))]
    statements.insert(rnd.randint(0, len(statements)), "CALL ducklake_flush_inlined_data('lake')")
    session.run("BEGIN")
    for statement in statements:
        session.run(statement)
    session.run("COMMIT")


def flush_beside_others(session, rnd):
    """What others do while a flush is open takes nothing from it."""
    session.run("BEGIN", "flusher")
    session.run("CALL ducklake_flush_inlined_data('lake')", "flusher")
    for _ in range(rnd.randint(1, 3)):
        session.run(change(rnd))
    session.run("COMMIT", "flusher")


def compact_beside_others(session, rnd):
    """A merge or a rewrite conflicts with what others do to its files, or commutes with it: never half of both."""
    session.run("BEGIN", "keeper")
    session.run(rnd.choice(MERGES + REWRITES[:2]), "keeper")
    for _ in range(rnd.randint(1, 2)):
        session.run(change(rnd))
    before = sorted(map(tuple, session.run("SELECT rowid, i, s FROM lake.t")))
    try:
        session.run("COMMIT", "keeper")
    except Exception as error:
        assert "conflict" in str(error), error
    assert sorted(map(tuple, session.run("SELECT rowid, i, s FROM lake.t"))) == before


def step(session, rnd):
    kind = rnd.random()
    if kind < 0.62:
        session.run(change(rnd))
    elif kind < 0.68:
        session.run("BEGIN")
        for _ in range(3):
            session.run(change(rnd))
        session.run("COMMIT")
    elif kind < 0.74:
        session.run(f"CALL ducklake_set_option('lake', 'data_inlining_row_limit', '{rnd.choice([0, 1, 10, 1000])}')")
    elif kind < 0.79:
        session.run(f"ALTER TABLE lake.t ADD COLUMN c{rnd.randrange(10**6)} INTEGER DEFAULT 1")
    elif kind < 0.87:
        upkeep(session, rnd)
    elif kind < 0.91:
        expire(session, rnd)
    elif kind < 0.92:
        expire_under_a_reader(session, rnd)
    elif kind < 0.93:
        restore(session, rnd)
    elif kind < 0.95:
        flush_in_transaction(session, rnd)
    elif kind < 0.97:
        flush_beside_others(session, rnd)
    else:
        compact_beside_others(session, rnd)


@pytest.mark.parametrize("seed", seeds())
def test_upkeep_changes_nothing(world, seed):
    rnd = random.Random(seed)
    with world.session("tarn") as session:
        session.run("CREATE TABLE lake.t (i INTEGER, s VARCHAR)")
        if rnd.random() < 0.3:
            session.run("CALL ducklake_set_option('lake', 'write_deletion_vectors', 'true')")
        if layout := random.Random(f"{seed} layout").choice(LAYOUTS):
            session.run(f"ALTER TABLE lake.t SET {layout}")
        for _ in range(STEPS):
            step(session, rnd)
        upkeep(session, rnd)
        rewrites = feed_model.rewrites(session.run)
        for first, last in runs(kept(session)):
            expected = feed_model.changes(session.run, "t", COLUMNS, range(first, last + 1), rewrites)
            expected = [row for row in expected if int(row[0]) > first]
            assert first == last or feed_model.feed(session.run, "main", "t", COLUMNS, first + 1, last) == expected
        expire(session, rnd)
        restore(session, rnd)
        versions, _ = everything(session)
    with world.session("reference") as session:
        # Without the snapshots of rows: what restored files say of them the reference believes (ADR 19).
        for version, rows in versions.items():
            read = sorted(map(tuple, session.run(f"SELECT rowid, i, s FROM lake.t AT (VERSION => {version})")))
            assert read == [(row[0], *row[2:]) for row in rows], f"the reference reads version {version} otherwise"
    world.check()
