"""Symbolic links where a lake has its folders and files: upkeep reads through them and removes links only, never what they lead to,
unless that is a file of the lake."""

import shutil
from pathlib import Path

import pytest

KEEP = ("CALL lake.flush_inlined_data()", "CALL lake.merge_adjacent_files()", "CALL lake.rewrite_data_files(delete_threshold => 0)",
        "CALL lake.delete_orphaned_files(cleanup_all => true)", "CALL lake.expire_snapshots(older_than => now())",
        "CALL lake.delete_orphaned_files(cleanup_all => true)", "CALL lake.cleanup_old_files(cleanup_all => true)", "CHECKPOINT lake")
SUMS = "SELECT count(*), sum(i) FROM lake.t"


@pytest.fixture
def world(make_world):
    return make_world("sqlite")


def fill(connection):
    connection.execute("CREATE TABLE lake.t (i INTEGER)")
    for first in range(4):
        connection.execute(f"INSERT INTO lake.t FROM range({first * 100}, {first * 100 + 50})")
    connection.execute("DELETE FROM lake.t WHERE i BETWEEN 100 AND 148")
    connection.execute("INSERT INTO lake.t VALUES (1000)")
    return connection.execute(SUMS).fetchone()


def keep(connection, expected):
    for call in KEEP:
        connection.execute(call).fetchall()
        assert connection.execute(SUMS).fetchone() == expected, call


def waiting(connection):
    return [Path(row[0]) for row in
            connection.execute("FROM lake.cleanup_old_files(cleanup_all => true, dry_run => true)").fetchall()]


def test_the_data_path_is_a_link(world, tmp_path):
    data = Path(world.lake.data)
    data.rmdir()
    (tmp_path / "real").mkdir()
    data.symlink_to(tmp_path / "real")
    stray = data / "main/t/stray.parquet"
    with world.open() as connection:
        expected = fill(connection)
        stray.write_bytes(b"")
        keep(connection, expected)
    assert not stray.exists() and data.is_symlink()
    world.assert_whole(False)


def test_the_folder_of_a_table_was_moved_and_linked(world, tmp_path):
    """What the lake wrote is its own there; what it did not is not looked for behind the link."""
    with world.open() as connection:
        expected = fill(connection)
        folder, elsewhere = Path(world.lake.data) / "main/t", tmp_path / "elsewhere"
        shutil.move(folder, elsewhere)
        folder.symlink_to(elsewhere)
        (elsewhere / "precious.parquet").write_bytes(b"")
        before = set(elsewhere.iterdir())
        keep(connection, expected)
        left = set(elsewhere.iterdir())
        assert left & before == {elsewhere / "precious.parquet"} and len(left) > 1
    world.assert_whole()


def test_a_file_became_a_link(world, tmp_path):
    """Live ones are read through it; once they are of no use the link goes, and what it led to stays."""
    with world.open() as connection:
        expected = fill(connection)
        file = max((Path(world.lake.data) / "main/t").glob("*.parquet"), key=lambda path: path.stat().st_size)
        shutil.move(file, tmp_path / "precious.parquet")
        file.symlink_to(tmp_path / "precious.parquet")
        keep(connection, expected)
        assert not file.is_symlink() and (tmp_path / "precious.parquet").exists()
    world.assert_whole(False)


def test_a_file_that_waits_became_a_link_or_a_folder_or_is_gone(world, tmp_path):
    precious = tmp_path / "precious.parquet"
    precious.write_bytes(b"")
    with world.open() as connection:
        expected = fill(connection)
        connection.execute("CALL lake.merge_adjacent_files()")
        link, folder, gone = waiting(connection)[:3]
        for file in (link, folder, gone):
            file.unlink()
        link.symlink_to(precious)
        folder.mkdir()
        (folder / "inside").write_bytes(b"")
        connection.execute("CALL lake.cleanup_old_files(cleanup_all => true)")
        assert not waiting(connection)
        assert precious.exists() and not link.is_symlink() and (folder / "inside").exists()
        assert connection.execute(SUMS).fetchone() == expected


def test_a_registered_link(world, tmp_path):
    """A link and what it leads to are one file; the clean-up removes the link, whose name the lake was given."""
    with world.open() as connection:
        connection.execute("CREATE TABLE lake.t (i INTEGER)")
        connection.execute(f"COPY (SELECT 5::INTEGER AS i) TO '{tmp_path}/a.parquet'")
        connection.execute(f"COPY (SELECT 6::INTEGER AS i) TO '{tmp_path}/b.parquet'")
        (tmp_path / "link.parquet").symlink_to(tmp_path / "a.parquet")
        for name in ("link", "b"):
            connection.execute(f"CALL ducklake_add_data_files('lake', 't', '{tmp_path}/{name}.parquet')")
        with pytest.raises(Exception, match="is in the lake already"):
            connection.execute(f"CALL ducklake_add_data_files('lake', 't', '{tmp_path}/a.parquet')")
        keep(connection, (2, 11))
    assert sorted(path.name for path in tmp_path.glob("*.parquet")) == ["a.parquet"]
    world.assert_whole(False)
