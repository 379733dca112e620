"""Paths in the catalog that lead out of the lake, or that are none: nothing outside is removed, and `tarn check` says so."""

import subprocess

import pytest

from lakes import attempt, tamper


@pytest.fixture
def world(make_world):
    """Two files wait for the clean-up."""
    world = make_world("sqlite")
    with world.open() as connection:
        connection.execute("CREATE TABLE lake.t AS SELECT range AS i FROM range(20)")
        connection.execute("INSERT INTO lake.t FROM range(20)")
        connection.execute("CALL lake.merge_adjacent_files()")
    return world


def findings(world, *options):
    done = subprocess.run([world.extension.replace("tarn.duckdb_extension", "tarn"), "check", world.lake.check, *options],
                          text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


def test_a_waiting_path_leads_out_of_the_data_path(world, tmp_path):
    """The lake's own files have paths below the data path; registered ones have whole paths, and are Parquet files."""
    precious = tmp_path / "precious.txt"
    precious.write_text("not of the lake")
    tamper(world, ["UPDATE ducklake_files_scheduled_for_deletion SET path = '../../precious.txt'"])
    with world.open() as connection:
        attempt(connection, "CALL lake.cleanup_old_files(cleanup_all => true)")
    assert precious.exists()
    code, said = findings(world)
    assert code == 1 and "precious.txt" in said
    code, said = findings(world, "--repair")
    assert code == 0 and "Takes" in said, said
    with world.open() as connection:
        connection.execute("CALL lake.cleanup_old_files(cleanup_all => true)")
    assert precious.exists()


@pytest.mark.parametrize("change", ["schedule_start = 'nonsense'", "schedule_start = NULL", "path = NULL"])
def test_a_waiting_row_that_cannot_be_read(world, change):
    """The clean-up will never take it, or cannot go on with it, so the check tells of it."""
    tamper(world, [f"UPDATE ducklake_files_scheduled_for_deletion SET {change}"])
    code, said = findings(world)
    assert code != 0, said
