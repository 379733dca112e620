"""Small batches that stay in the catalog, beside the reference client, on SQLite and on PostgreSQL."""

import pathlib
import statistics
import sys

from commits import new_database
from contender import Contender

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
from harness import postgres  # noqa: E402

KINDS = ("reference", "tarn")
LARGE_ROWS = 5000
LARGE_BATCHES = 5


def batch(number):
    rows = ", ".join(f"({number * 9 + row}, '2026-01-01 10:00:00'::TIMESTAMP + INTERVAL {number} SECOND, 'sensor {row}', {row}.5)"
                     for row in range(9))
    return f"INSERT INTO lake.small VALUES {rows}"


def large(number):
    return (f"INSERT INTO lake.large SELECT {number} * {LARGE_ROWS} + range, TIMESTAMP '2026-01-01' + INTERVAL (range) SECOND, "
            f"'sensor ' || (range % 100), range / 7 FROM range({LARGE_ROWS})")


def measure(build, folder, batches, server):
    """Milliseconds of a batch of each size, and of the aggregate over the small ones; contenders take turns."""
    databases = {kind: new_database(server, f"inlining_{kind}") if server else None for kind in KINDS}
    contenders = [Contender(kind, build, folder / f"inlining-{'postgres' if server else 'sqlite'}-{kind}",
                            server=databases[kind]) for kind in KINDS]
    times = {kind: {"9 rows": [], "5,000 rows": [], "aggregate": []} for kind in KINDS}
    for contender in contenders:
        contender.attach()
        for table, limit in (("small", 10), ("large", LARGE_ROWS)):
            contender.run(f"CREATE TABLE lake.{table} (i INTEGER, ts TIMESTAMP, s VARCHAR, v DOUBLE)",
                          f"CALL lake.set_option('data_inlining_row_limit', {limit}, table_name => '{table}')")
    part = max(1, batches // 10)
    for first in range(0, batches, part):
        for contender in contenders:
            seconds = contender.run(*[batch(number) for number in range(first, min(first + part, batches))])["seconds"]
            times[contender.kind]["9 rows"].append(seconds / part * 1000)
    for number in range(LARGE_BATCHES):
        for contender in contenders:
            times[contender.kind]["5,000 rows"].append(contender.run(large(number))["seconds"] * 1000)
    answers = set()
    for _ in range(5):
        for contender in contenders:
            answer = contender.run("SELECT s, count(*), sum(v), max(ts) FROM lake.small GROUP BY s ORDER BY s")
            times[contender.kind]["aggregate"].append(answer["seconds"] * 1000)
            answers.add(answer["fingerprint"])
    files = [contender.run("SELECT (SELECT count(*) FROM ducklake_list_files('lake', 'small')) + "
                           "(SELECT count(*) FROM ducklake_list_files('lake', 'large'))", values=True)["values"][0][0]
             for contender in contenders]
    for contender in contenders:
        contender.close()
    return times, len(answers) == 1 and files == [0, 0]


def run(build, folder, batches):
    print(f"\nRows kept in the catalog: {batches} batches of 9 rows, {LARGE_BATCHES} of 5,000, and an aggregate over the small ones; "
          "milliseconds, medians; ratio = tarn / reference")
    fine = True
    for name in ("SQLite", "PostgreSQL"):
        if name == "SQLite":
            times, equal = measure(build, folder, batches, None)
        else:
            with postgres.Server() as server:
                times, equal = measure(build, folder, batches, server)
        fine = fine and equal
        for what in times["tarn"]:
            theirs, ours = (statistics.median(times[kind][what]) for kind in KINDS)
            print(f"{name:>12}, {what:>10}: reference {theirs:.2f}, tarn {ours:.2f}, ratio {ours / theirs:.2f}")
        if not equal:
            print(f"{name:>12}: the answers DIFFER, or rows became files")
    return fine
