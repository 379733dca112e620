"""A lake of many tables: attach and first query on PostgreSQL, and the listing of all tables on SQLite."""

import pathlib
import statistics
import sys

from commits import new_database
from contender import Contender

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
from harness import postgres  # noqa: E402

LISTING = "SELECT count(*), sum(estimated_size) FROM duckdb_tables() WHERE database_name = 'lake'"


def fill(build, folder, tables, server):
    """One lake that both clients open, since they read the same format. Made by Tarn."""
    maker = Contender("tarn", build, folder, server=server)
    maker.attach()
    maker.run("BEGIN", *[f"CREATE TABLE lake.t{n} AS SELECT {n} AS i, 'x' AS s" for n in range(tables)], "COMMIT")
    maker.close()


def measure(build, folder, server, runs, *sql):
    """Seconds of a fresh process that attaches the lake and runs `sql`; the processes take turns."""
    times = {"reference": [], "tarn": []}
    prints = set()
    for _ in range(runs):
        for kind, values in times.items():
            contender = Contender(kind, build, folder, server=server)
            attach = f"ATTACH '{contender.attach_string()}' AS lake"
            answer = contender.run(attach, *sql)
            contender.close()
            values.append(answer["seconds"])
            prints.add(answer["fingerprint"])
    return {kind: statistics.median(values) for kind, values in times.items()}, len(prints) == 1


def run(build, folder, tables, runs):
    print(f"\nA lake of {tables} tables, median of {runs} fresh processes, seconds; ratio = reference / tarn")
    fine = True
    with postgres.Server() as server:
        database = new_database(server, "many_tables")
        fill(build, folder / "tables-postgres", tables, database)
        steps = [("PostgreSQL, attach and first query", database, folder / "tables-postgres",
                  [f"SELECT sum(i) FROM lake.t{tables // 2}"])]
        fill(build, folder / "tables-sqlite", tables, None)
        steps.append(("SQLite, attach and duckdb_tables()", None, folder / "tables-sqlite", [LISTING]))
        for name, target, place, sql in steps:
            medians, equal = measure(build, place, target, runs, *sql)
            fine = fine and equal
            print(f"{name:>36}: reference {medians['reference']:.3f}, tarn {medians['tarn']:.3f}, "
                  f"ratio {medians['reference'] / medians['tarn']:.2f}{'' if equal else ', results DIFFER'}")
    return fine
