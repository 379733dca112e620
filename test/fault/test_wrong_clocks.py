"""Clocks were wrong when snapshots, files and entries of the catalog got their times: upkeep takes nothing that is in use, time
travel finds what its words mean, and what is committed from then on goes forward in time.
"""

import os
from pathlib import Path

import pytest

from lakes import attempt, tamper

FUTURE, PAST = "2100-01-01 00:00:00+00", "2001-01-01 00:00:00+00"
OLD = "older_than => now() - INTERVAL 1 DAY"


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def world(make_world, request):
    """Snapshot 2 to 5 insert a row each, 6 deletes the first one, each a file."""
    world = make_world(request.param)
    with world.open() as connection:
        connection.execute("CALL lake.set_option('data_inlining_row_limit', 0)")
        connection.execute("CREATE TABLE lake.t (i INTEGER)")
        for row in range(4):
            connection.execute(f"INSERT INTO lake.t VALUES ({row})")
        connection.execute("DELETE FROM lake.t WHERE i = 0")
    return world


def set_times(world, **snapshots):
    tamper(world, [f"UPDATE ducklake_snapshot SET snapshot_time = '{time}' WHERE snapshot_id = {name[1:]}"
                   for name, time in snapshots.items()])


def ids(connection, query):
    return [row[0] for row in connection.execute(query).fetchall()]


def rows(connection, at=""):
    return sorted(ids(connection, f"SELECT i FROM lake.t {at}"))


def test_snapshots_that_do_not_ascend(world):
    set_times(world, s2=FUTURE, s4=PAST)
    with world.open() as connection:
        assert rows(connection, "AT (TIMESTAMP => now())") == [1, 2, 3]
        assert rows(connection, "AT (TIMESTAMP => TIMESTAMPTZ '2001-06-01')") == [0, 1, 2]
        error = attempt(connection, "FROM lake.t AT (TIMESTAMP => TIMESTAMPTZ '2000-06-01')")
        assert "No snapshot found at timestamp 2000-06-01" in error
        # An age is judged by each snapshot's own time.
        assert ids(connection, f"SELECT snapshot_id FROM lake.expire_snapshots({OLD})") == [4]
        taken = ids(connection, "SELECT snapshot_id FROM lake.expire_snapshots(older_than => now())")
        assert taken == [0, 1, 3, 5]
        assert rows(connection, "AT (VERSION => 2)") == [0]
        connection.execute("CALL lake.cleanup_old_files(cleanup_all => true)")
        assert (rows(connection, "AT (VERSION => 2)"), rows(connection)) == ([0], [1, 2, 3])
        # By its number it can be let go all the same.
        assert ids(connection, "SELECT snapshot_id FROM lake.expire_snapshots(versions => [2])") == [2]
        assert rows(connection) == [1, 2, 3]
    world.assert_whole(False)


def test_the_newest_snapshot_is_of_the_future(world):
    """What is committed later is of a later time, so that no time means an older snapshot than an earlier one does."""
    set_times(world, s5=FUTURE, s6=FUTURE.replace(":00+", ":07+"))
    with world.open() as connection:
        connection.execute("INSERT INTO lake.t VALUES (4)")
        connection.execute("CALL lake.merge_adjacent_files()")
        assert ids(connection, f"SELECT snapshot_id FROM lake.snapshots() WHERE snapshot_time <= '{FUTURE}'") == [0, 1, 2, 3, 4, 5]
        ascending = "SELECT snapshot_id FROM lake.snapshots() ORDER BY snapshot_time"
        assert ids(connection, ascending) == list(range(9))
        assert rows(connection, "AT (TIMESTAMP => now())") == [0, 1, 2]
        assert rows(connection, "AT (TIMESTAMP => TIMESTAMPTZ '2101-01-01')") == [1, 2, 3, 4]
        assert ids(connection, "SELECT snapshot_id FROM lake.expire_snapshots(older_than => now())") == [0, 1, 2, 3, 4]
        connection.execute("CALL lake.set_option('expire_older_than', '0 seconds')")
        connection.execute("CALL lake.set_option('delete_older_than', '0 seconds')")
        connection.execute("CHECKPOINT lake")
        assert rows(connection, "AT (VERSION => 5)") == [0, 1, 2, 3]
        assert rows(connection) == [1, 2, 3, 4]
        # The newest never goes, however old it is.
        assert ids(connection, "SELECT max(snapshot_id) FROM lake.expire_snapshots(older_than => 'infinity'::TIMESTAMPTZ)") == [7]
        assert rows(connection) == [1, 2, 3, 4]
    world.assert_whole(False)


def test_the_newest_snapshot_is_of_the_past(world):
    set_times(world, **{f"s{snapshot}": PAST.replace(":00:00+", f":00:0{snapshot}+") for snapshot in range(7)})
    with world.open() as connection:
        assert ids(connection, f"SELECT snapshot_id FROM lake.expire_snapshots({OLD})") == list(range(6))
        assert rows(connection, "AT (TIMESTAMP => TIMESTAMPTZ '2001-06-01')") == [1, 2, 3]
        assert rows(connection) == [1, 2, 3]
    world.assert_whole(False)


def test_files_that_wait_are_of_the_future(world):
    with world.open() as connection:
        connection.execute("CALL lake.merge_adjacent_files()")
        connection.execute("CALL lake.expire_snapshots(older_than => now())")
        waiting = len(ids(connection, "SELECT path FROM lake.cleanup_old_files(cleanup_all => true, dry_run => true)"))
    assert waiting > 0
    tamper(world, [f"UPDATE ducklake_files_scheduled_for_deletion SET schedule_start = '{FUTURE}'"])
    with world.open() as connection:
        connection.execute("CALL lake.set_option('delete_older_than', '0 seconds')")
        assert ids(connection, "SELECT path FROM lake.cleanup_old_files()") == []
        assert ids(connection, "SELECT path FROM lake.cleanup_old_files(older_than => now())") == []
        assert len(ids(connection, "SELECT path FROM lake.cleanup_old_files(cleanup_all => true)")) == waiting
        assert rows(connection) == [1, 2, 3]
    world.assert_whole(False)


def test_files_of_odd_times(world):
    """A file of the future may be somebody's who writes it now; one from before 1970 is as old as any."""
    folder = Path(world.lake.data) / "main/t"
    for name, year in (("future", 2100), ("past", 1930)):
        path = folder / f"{name}.parquet"
        path.write_bytes(b"")
        os.utime(path, ((year - 1970) * 365 * 86400,) * 2)
    for live in folder.glob("ducklake-*"):
        os.utime(live, (-86400,) * 2)
    with world.open() as connection:
        names = "SELECT parse_filename(path) FROM lake.delete_orphaned_files({})"
        assert ids(connection, names.format("")) == ["past.parquet"]
        assert ids(connection, names.format("older_than => now()")) == []
        assert ids(connection, names.format("cleanup_all => true")) == ["future.parquet"]
        assert rows(connection) == [1, 2, 3]
    world.assert_whole(False)
