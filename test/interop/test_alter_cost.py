"""ALTER TABLE writes the rows of its change, however many files and columns a table has."""

import sqlite3
from contextlib import closing

import pytest

FILES, COLUMNS = 100_000, 1_000
ALTERATIONS = [
    "ADD COLUMN added INTEGER DEFAULT 7", "ADD COLUMN s.added INTEGER", "RENAME COLUMN c1 TO renamed", "ALTER c2 SET DATA TYPE BIGINT",
    "ALTER c3 SET DEFAULT 5", "DROP COLUMN c4", "DROP COLUMN s.x", "RENAME TO other", "RENAME TO @",
]


def counts(path):
    with closing(sqlite3.connect(path)) as catalog:
        names = [name for (name,) in catalog.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'ducklake_%'")]
        return {name: catalog.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def written(world, table):
    """How many rows each alteration adds to each table of the catalog."""
    found = []
    with world.session("tarn") as session:
        for change in ALTERATIONS:
            before = counts(world.lake.check)
            session.run(f"ALTER TABLE lake.{'other' if change == ALTERATIONS[-1] else table} {change.replace('@', table)}")
            after = counts(world.lake.check)
            found.append({name: count - before.get(name, 0) for name, count in after.items() if count != before.get(name, 0)})
    return found


@pytest.mark.parametrize("catalog", ["sqlite"])
def test_alter_writes_the_same_rows_for_any_size(world):
    if world.tarn.name == "reference":
        pytest.skip("about Tarn alone")
    columns = "".join(f", c{i} INTEGER" for i in range(COLUMNS))
    world.script("tarn", ["CREATE TABLE lake.t (s STRUCT(x INTEGER, y INTEGER), c1 INTEGER, c2 INTEGER, c3 INTEGER, c4 INTEGER)",
                          f"CREATE TABLE lake.wide (s STRUCT(x INTEGER, y INTEGER){columns})",
                          "INSERT INTO lake.wide (c1) SELECT range FROM range(20)"])
    small = written(world, "t")
    with closing(sqlite3.connect(world.lake.check)) as catalog:
        names = [row[1] for row in catalog.execute("PRAGMA table_info(ducklake_data_file)")]
        copied = ", ".join("data_file_id + 1000 + n" if name == "data_file_id" else "'f' || n" if name == "path" else name for name in names)
        catalog.execute(f"INSERT INTO ducklake_data_file WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < {FILES}) "
                        f"SELECT {copied} FROM ducklake_data_file, r")
        catalog.commit()
    assert written(world, "wide") == small
