"""Random layouts of Tarn alone: whatever a table is partitioned and sorted by, and however that changed, no filter loses a row.

The same rows are in a table of DuckDB's own, in one row group with all kinds of values, which is asked the same: at the
newest version and at old ones, by filters that prune through values, calendar parts, buckets and statistics. What a
partitioned table's folders say is read back, too: its files become files of a second lake. TARN_LAYOUT_SEEDS, as in 1..200, is for long runs.
"""

import os
import random
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "interop")]

from harness import clients  # noqa: E402
from sessions import World  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()

TEXTS = ["", " ", "a", "A", "a/b", "..", "%", "%41", "x=y", "é", "日本", "it's", '"q"', "__HIVE_DEFAULT_PARTITION__ ", "NULL", "a+b",
         "tab\there", "?#&", "\\", "long " * 30]
COLUMNS = {
    "i": ("INTEGER", ["0", "-1", "7", "2147483647", "-2147483648"]),
    "s": ("VARCHAR", ["'" + text.replace("'", "''") + "'" for text in TEXTS]),
    "d": ("DATE", ["'1969-12-31'", "'1970-01-01'", "'2024-02-29'", "'0001-01-01'", "'9999-12-31'", "'infinity'"]),
    "ts": ("TIMESTAMP", ["'1969-12-31 23:59:59.999999'", "'2024-02-29 12:00:00'", "'2024-12-31 23:59:59'", "'-infinity'"]),
    "f": ("DOUBLE", ["'nan'", "'inf'", "'-inf'", "0.0", "'-0.0'", "1.5"]),
    "n": ("DECIMAL(9, 2)", ["-0.01", "9999999.99", "0"]),
    "b": ("BOOLEAN", ["true", "false"]),
}
PARTS = {"d": ("year", "month", "day"), "ts": ("year", "month", "day", "hour")}
BUCKETS = ("i", "s", "d", "ts", "n")
ROUNDS = 5
FILTERS = 25


def seeds():
    first, _, last = os.environ.get("TARN_LAYOUT_SEEDS", "1..2").partition("..")
    return range(int(first), int(last or first) + 1)


def literal(rnd, column):
    kind, special = COLUMNS[column]
    if rnd.random() < 0.5:
        return f"({rnd.choice(special)})::{kind}"
    return {"i": f"{rnd.randrange(50)}", "s": f"'s{rnd.randrange(6)}'", "d": f"DATE '2024-01-01' + {rnd.randrange(500)}",
            "ts": f"TIMESTAMP '2024-01-01' + INTERVAL {rnd.randrange(9000)} HOUR", "f": f"{rnd.randrange(9)}.5::DOUBLE",
            "n": f"{rnd.randrange(9)}.25::DECIMAL(9, 2)", "b": "true"}[column]


def rows(rnd, many):
    made = []
    for _ in range(many):
        values = ["NULL" if rnd.random() < 0.1 else literal(rnd, column) for column in COLUMNS]
        made.append(f"({', '.join(values)})")
    return ", ".join(made)


def spec(rnd):
    keys = []
    for column in rnd.sample(list(COLUMNS), rnd.randint(1, 3)):
        if column in PARTS and rnd.random() < 0.8:
            keys += [f"{part}({column})" for part in rnd.sample(PARTS[column], rnd.randint(1, 2))]
        elif column in BUCKETS and rnd.random() < 0.5:
            keys.append(f"bucket({rnd.randint(1, 6)}, {column})")
        else:
            keys.append(column)
    return ", ".join(keys)


def condition(rnd):
    column = rnd.choice(list(COLUMNS))
    dice = rnd.random()
    if dice < 0.1:
        return f"{column} IS {rnd.choice(['', 'NOT '])}NULL"
    if dice < 0.2:
        return f"{column} IN ({', '.join(literal(rnd, column) for _ in range(3))})"
    if dice < 0.3 and column in PARTS:
        return f"{rnd.choice(PARTS[column])}({column}) = {rnd.choice([2, 12, 29, 1970, 2024])}"
    if dice < 0.4:
        return f"{column} BETWEEN {literal(rnd, column)} AND {literal(rnd, column)}"
    return f"{column} {rnd.choice(['=', '=', '<', '<=', '>', '>=', '<>', 'IS DISTINCT FROM'])} {literal(rnd, column)}"


def where(rnd):
    return rnd.choice([" AND ", " OR "]).join(condition(rnd) for _ in range(rnd.randint(1, 2)))


@pytest.mark.parametrize("seed", seeds())
def test_no_filter_loses_a_row(tmp_path, seed):
    rnd = random.Random(seed)
    catalog = rnd.choice(["sqlite", "duckdb"])
    home = tmp_path / "home"
    home.mkdir()
    tarn = clients.Client("tarn", catalog, str(BUILD / "tarn.duckdb_extension"), home=str(home))
    world = World(clients.new_lake(catalog, tmp_path / "lake"), tarn, tarn, str(tmp_path), str(BUILD / "tarn"))
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items())
    with world.session("tarn", f"DATA_INLINING_ROW_LIMIT {rnd.choice([0, 0, 5])}") as session:
        session.run(f"CREATE TABLE lake.t ({columns})")
        session.run(f"CREATE TABLE plain ({columns})")
        versions = {}
        for number in range(ROUNDS):
            session.run(rnd.choice([f"ALTER TABLE lake.t SET PARTITIONED BY ({spec(rnd)})"] * 4 +
                                   ["ALTER TABLE lake.t RESET PARTITIONED BY"]))
            session.run(rnd.choice([f"ALTER TABLE lake.t SET SORTED BY ({rnd.choice(list(COLUMNS))})",
                                    "ALTER TABLE lake.t RESET SORTED BY"]))
            values, changed = rows(rnd, 60), where(rnd)
            for table in ("lake.t", "plain"):
                session.run(f"INSERT INTO {table} VALUES {values}")
                if number % 2:
                    session.run(f"UPDATE {table} SET s = 'moved', i = i // 2 WHERE {changed}")
            session.run(f"CREATE TABLE plain_{number} AS FROM plain")
            versions[number] = session.run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')")[0][0]
            if number == ROUNDS - 2:
                session.run("CALL ducklake_merge_adjacent_files('lake')")
        for _ in range(FILTERS):
            number, filter_ = rnd.randrange(ROUNDS), where(rnd)
            asked = f"SELECT count(*), bit_xor(hash(t)), sum(i) FROM {{}} WHERE {filter_}"
            assert session.run(asked.format(f"lake.t AS t AT (VERSION => {versions[number]})")) == session.run(
                asked.format(f"plain_{number} t")), f"{filter_} at {number}"
        for _ in range(FILTERS):
            filter_ = where(rnd)
            asked = f"SELECT count(*), bit_xor(hash(t)), sum(i) FROM {{}} WHERE {filter_}"
            assert session.run(asked.format("lake.t t")) == session.run(asked.format("plain t")), filter_
    world.check()


@pytest.mark.parametrize("seed", seeds())
def test_folders_say_what_was_written(tmp_path, seed):
    rnd = random.Random(seed)
    home = tmp_path / "home"
    home.mkdir()
    tarn = clients.Client("tarn", "sqlite", str(BUILD / "tarn.duckdb_extension"), home=str(home))
    world = World(clients.new_lake("sqlite", tmp_path / "lake"), tarn, tarn, str(tmp_path), str(BUILD / "tarn"))
    keys = rnd.sample(["i", "s", "d", "b", "n"], 2)
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items())
    with world.session("tarn", "DATA_INLINING_ROW_LIMIT 0") as session:
        session.run(f"CREATE TABLE lake.t ({columns})")
        session.run(f"ALTER TABLE lake.t SET PARTITIONED BY ({', '.join(keys)})")
        session.run(f"CREATE TABLE plain ({columns})")
        session.run(f"INSERT INTO plain VALUES {rows(rnd, 60)}")
        # DuckDB reads a folder s=NULL as one of NULLs.
        session.run("INSERT INTO lake.t FROM plain WHERE s IS DISTINCT FROM 'NULL'")
        session.run(f"ATTACH 'ducklake:{tmp_path}/other.db' AS other (DATA_PATH '{tmp_path}/other')")
        session.run(f"CREATE TABLE other.t ({columns})")
        session.run(f"ALTER TABLE other.t SET PARTITIONED BY ({', '.join(reversed(keys))})")
        session.run(f"CALL ducklake_add_data_files('other', 't', '{world.lake.data}main/t/**/*.parquet', "
                    "hive_partitioning => true)")
        assert session.run("SELECT * FROM lake.t ORDER BY ALL") == session.run("SELECT * FROM other.t ORDER BY ALL")
        for _ in range(20):
            filter_ = where(rnd)
            asked = f"SELECT count(*), bit_xor(hash(t)) FROM {{}}.t WHERE {filter_}"
            assert session.run(asked.format("lake")) == session.run(asked.format("other")), filter_
