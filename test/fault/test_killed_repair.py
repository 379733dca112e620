"""`tarn check --repair` is killed at any moment: it has repaired all of what it can or nothing, it has damaged nothing, and another one does the rest."""

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from lakes import tamper

COLUMNS = ("table_id, begin_snapshot, end_snapshot, data_file_id, 'copy-' || path, path_is_relative, format, delete_count, "
           "file_size_bytes, footer_size, encryption_key, partial_max")
DAMAGE = (
    # Two live delete files of one data file: their repair writes a file.
    "INSERT INTO ducklake_delete_file SELECT delete_file_id + (SELECT max(delete_file_id) + 1 FROM ducklake_delete_file), "
    f"{COLUMNS} FROM ducklake_delete_file WHERE end_snapshot IS NULL",
    "UPDATE ducklake_data_file SET file_size_bytes = file_size_bytes + 1",
    "UPDATE ducklake_table_stats SET record_count = record_count + 7",
    "INSERT INTO ducklake_table_stats VALUES (77, 1, 1, 1)",
)
ROWS = "SELECT count(*), count(DISTINCT rowid), sum(i) FROM lake.t"


def command(world, *options):
    return [world.extension.replace("tarn.duckdb_extension", "tarn"), "check", *options, world.lake.check]


def findings(world):
    """What a deep check finds, but for files that nothing refers to."""
    done = subprocess.run(command(world, "--deep"), text=True, capture_output=True)
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.splitlines()
    return {line for line in lines if line.startswith(("error", "note")) and "Nothing refers to the file" not in line}


def damage(world):
    for path in Path(world.lake.data).rglob("*-delete.parquet"):
        shutil.copy(path, path.with_name(f"copy-{path.name}"))
    tamper(world, DAMAGE)
    found = findings(world)
    assert len(found) >= len(DAMAGE) and any("two live delete files" in line for line in found), found
    return found


@pytest.mark.parametrize("catalog", ["sqlite", "duckdb", "postgres"])
def test_all_is_repaired_or_nothing(make_world, catalog, seed, rounds, request):
    world = make_world(catalog)
    dice = random.Random(f"{seed} {catalog} repair")
    with world.open() as connection:
        connection.execute("CALL lake.set_option('data_inlining_row_limit', 0)")
        connection.execute("CREATE TABLE lake.t AS SELECT range AS i FROM range(1000)")
        connection.execute("DELETE FROM lake.t WHERE i % 7 = 3")
        rows = connection.execute(ROWS).fetchall()
    found = damage(world)
    start = time.monotonic()
    subprocess.run(command(world, "--repair"), check=True, capture_output=True)
    seconds = time.monotonic() - start
    assert findings(world) == set()
    for turn in range(4 * rounds):
        found = found or damage(world)
        with subprocess.Popen(command(world, "--repair"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as repair:
            time.sleep(dice.uniform(0.2, 1.05) * seconds)
            repair.kill()
        if catalog == "postgres":
            request.getfixturevalue("server").wait_until_idle("lake")
        now = findings(world)
        assert now in (found, set()), f"turn {turn}"
        found = now
    found = found or damage(world)
    subprocess.run(command(world, "--repair"), check=True, capture_output=True)
    with world.open() as connection:
        assert connection.execute(ROWS).fetchall() == rows
    world.assert_whole()
