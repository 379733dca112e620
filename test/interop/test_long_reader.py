"""A process that has read a table keeps what it knows of its files; whoever changes the lake, and how, it answers as one that has just begun."""

import os
import random

import pytest

STEPS = 14
SEEDS = range(int(os.environ.get("TARN_LONG_READER_SEEDS", "2")))
QUERIES = (
    "SELECT rowid, * FROM lake.t",
    "SELECT count(*), count(a), min(a), max(a) FROM lake.t",
    "SELECT count(*), sum(a) FROM lake.t WHERE a BETWEEN 40 AND 60",
    "SELECT count(*), sum(a) FROM lake.t WHERE s >= 'v7' AND a < 70",
    "SELECT count(*) FROM lake.t WHERE s IS NULL",
)


def insert(rnd, rows):
    first = rnd.randrange(100)
    return f"INSERT INTO lake.t (a, s) SELECT range, CASE range % 7 WHEN 0 THEN NULL ELSE 'v' || range END FROM range({first}, {first + rows})"


def changes(rnd, newest):
    """What may happen next: statements, and whether the reference may do it."""
    return [
        ([insert(rnd, 30)], True),
        ([insert(rnd, 30), insert(rnd, 12)], True),
        ([insert(rnd, 2)], True),
        ([f"DELETE FROM lake.t WHERE a % {rnd.choice([3, 5, 11])} = 0"], True),
        ([f"DELETE FROM lake.t WHERE a = {rnd.randrange(130)}"], True),
        ([f"UPDATE lake.t SET s = 'v7' WHERE a < {rnd.randrange(60)}"], False),
        (["BEGIN", insert(rnd, 40), "DELETE FROM lake.t WHERE a % 4 = 0", "COMMIT"], True),
        (["CALL ducklake_merge_adjacent_files('lake')"], True),
        # The reference cannot after an added column and inlined rows.
        (["CALL ducklake_rewrite_data_files('lake', delete_threshold => 0.1)"], False),
        (["CALL ducklake_flush_inlined_data('lake')"], True),
        (["CREATE OR REPLACE TABLE lake.other AS SELECT 1 AS i", "INSERT INTO lake.other SELECT * FROM range(20)"], True),
        (["CALL ducklake_expire_snapshots('lake', older_than => now())"], True),
        (["TRUNCATE lake.t" if rnd.random() < 0.3 else insert(rnd, 15)], False),
        ([f"ALTER TABLE lake.t ADD COLUMN c{rnd.randrange(10**6)} INTEGER DEFAULT 7", insert(rnd, 12)], True),
        ([f"CALL tarn_restore('lake', version => {newest - 1}, table_name => 't')"], False),
    ]


def newest(session):
    return int(session.run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')")[0][0])


def answers(session, versions):
    found = {}
    for at in ("", *(f" AT (VERSION => {version})" for version in versions)):
        for query in QUERIES:
            asked = query.replace("lake.t", "lake.t" + at)
            try:
                found[asked] = sorted(map(str, session.run(asked)))
            except Exception as problem:  # expired, or before the table
                found[asked] = str(problem)
    return found


# Of a DuckDB file only one process knows anything at a time.
@pytest.mark.parametrize("catalog", ["sqlite", "postgres"])
@pytest.mark.parametrize("seed", SEEDS)
def test_it_answers_like_a_new_one(world, seed):
    rnd = random.Random(seed)
    history = []
    with world.session("tarn") as reader:
        reader.run("CREATE TABLE lake.t (a INTEGER, s VARCHAR)")
        for _ in range(STEPS):
            statements, by_either = rnd.choice(changes(rnd, newest(reader)))
            who = rnd.choice(["tarn", "reference"]) if by_either else "tarn"
            history.append((who, statements))
            with world.session(who) as writer:
                for statement in statements:
                    # The version before may be expired, or of before the table: then nothing is restored.
                    (writer.outcome if "restore" in statement else writer.run)(statement)
            versions = sorted({max(newest(reader) - rnd.randrange(5), 0) for _ in range(2)})
            with world.session("tarn") as fresh:
                expected = answers(fresh, versions)
            for _ in range(2):
                assert answers(reader, versions) == expected, history
    world.check()
