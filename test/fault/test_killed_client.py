"""A client is killed while it writes: what it was told is committed stays, what was under way is there whole or not."""

import random
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest
import workload

WRITER = str(Path(__file__).with_name("writer.py"))


def run_until_killed(world, seed, first, dice, *options):
    """Kills a writer somewhere in or after its k-th transaction. Returns how many it began, and how many it ended."""
    command = [sys.executable, WRITER, world.extension, world.attach_statement(), str(seed), str(first),
               *options]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        lines = []
        target = dice.randint(1, 12)
        for line in child.stdout:
            lines.append(line.split())
            if lines[-1] == ["done", str(first + target - 1)]:
                break
        time.sleep(dice.uniform(0, 0.08))
        child.kill()
        lines += [line.split() for line in child.stdout]
        problem = child.stderr.read()
    assert not problem, problem
    told = [line[0] for line in lines]
    return told.count("trying"), told.count("done")


@pytest.mark.parametrize("catalog", ["sqlite", "duckdb", "postgres"])
def test_acknowledged_commits_survive_and_the_one_under_way_is_all_or_nothing(make_world, catalog, seed, rounds, request):
    kill_again_and_again(make_world(catalog), random.Random(f"{seed} {catalog}"), seed, rounds, request)


@pytest.mark.parametrize("catalog", ["sqlite", "duckdb", "postgres"])
def test_a_flush_under_way_changes_nothing(make_world, catalog, seed, rounds, request):
    """Killed between transactions, most often while it flushes: what the tables hold tells nothing of flushes."""
    kill_again_and_again(make_world(catalog), random.Random(f"{seed} {catalog} flush"), seed, rounds, request, "flush")


@pytest.mark.parametrize("catalog", ["sqlite", "postgres"])
def test_a_compaction_under_way_changes_nothing(make_world, catalog, seed, rounds, request):
    """The same for merges and rewrites: files without rows in the catalog are all that they may leave."""
    kill_again_and_again(make_world(catalog), random.Random(f"{seed} {catalog} compact"), seed, rounds, request, "compact")


def kill_again_and_again(world, dice, seed, rounds, request, *options):
    catalog = world.catalog
    expected = duckdb.connect()
    expected.execute("ATTACH ':memory:' AS lake")
    with world.open() as connection:
        for statement in workload.SETUP:
            connection.execute(statement)
            expected.execute(statement)
    first = 0
    for turn in range(3 * rounds):
        own = seed * 1000 + turn
        began, ended = run_until_killed(world, own, first, dice, *options)
        if catalog == "postgres":
            request.getfixturevalue("server").wait_until_idle("lake")
        script = workload.transactions(own, first)
        for _ in range(ended):
            replay(expected, next(script)[1])
        with world.open() as connection:
            found = workload.fingerprint(connection)
            if found != workload.fingerprint(expected):
                assert began == ended + 1, f"turn {turn}: what was acknowledged is not what is there"
                replay(expected, next(script)[1])
                assert found == workload.fingerprint(expected), f"turn {turn}: half a transaction"
            write = f"INSERT INTO lake.log VALUES ({-turn}, 'after the kill')"
            connection.execute(write)
            replay(expected, [write])
            assert workload.fingerprint(connection) == workload.fingerprint(expected)
        world.assert_whole()
        first += began + 1


def replay(connection, statements):
    for statement in statements:
        connection.execute(statement).fetchall()
