"""Planning over many files: a lake whose catalog lists them all, though only those that the queries read exist.

Point queries and answers of the catalog, in a process that has read the table before (warm) and in a fresh one
(cold), and the memory that this takes.
"""

import pathlib
import sqlite3
import statistics
import sys

from commits import new_database
from contender import Contender

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
from harness import postgres  # noqa: E402

ROWS = 100  # of each file
WARM_QUERIES = {
    "COUNT(*)": "SELECT count(*) FROM lake.t",
}


def statements(files, template):
    """SQL of both databases that lists `files` more files like the one with id `template`."""
    digits = "substr('000000000000' || i, length('000000000000' || i) - 11)"
    numbers = f"WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {files - 1})"
    last = template + files - 1
    yield f"""INSERT INTO ducklake_data_file (data_file_id, table_id, begin_snapshot, path, path_is_relative, file_format,
            record_count, file_size_bytes, footer_size, row_id_start)
        {numbers} SELECT {template} + i, table_id, begin_snapshot, 'ducklake-01990000-0000-7000-8000-' || {digits} || '.parquet',
            path_is_relative, file_format, record_count, file_size_bytes, footer_size, {ROWS} * i
        FROM ducklake_data_file, n WHERE data_file_id = {template}"""
    # The first column's bounds follow each other, the second one's do not.
    yield f"""INSERT INTO ducklake_file_column_stats (data_file_id, table_id, column_id, column_size_bytes, value_count,
            null_count, min_value, max_value, contains_nan)
        {numbers} SELECT {template} + i, table_id, column_id, column_size_bytes, value_count, null_count,
            CASE column_id WHEN 1 THEN CAST({ROWS} * i AS VARCHAR) ELSE CAST(i * 7919 % 1000003 AS VARCHAR) END,
            CASE column_id WHEN 1 THEN CAST({ROWS} * i + {ROWS - 1} AS VARCHAR) ELSE CAST(i * 7919 % 1000003 + 50 AS VARCHAR) END,
            contains_nan
        FROM ducklake_file_column_stats, n WHERE data_file_id = {template}"""
    yield f"UPDATE ducklake_snapshot SET next_file_id = {last + 1} WHERE snapshot_id = (SELECT max(snapshot_id) FROM ducklake_snapshot)"
    yield f"UPDATE ducklake_table_stats SET record_count = {ROWS * files}, next_row_id = {ROWS * files}"
    yield f"UPDATE ducklake_table_column_stats SET max_value = '{ROWS * files - 1}' WHERE column_id = 1"


def fill(build, folder, files, running, database):
    """Makes the lake; returns ids that lie in files that exist."""
    server = new_database(running, database) if database else None
    maker = Contender("tarn", build, folder, server=server)
    maker.attach()
    maker.run(f"CREATE TABLE lake.t AS SELECT range AS id, range * 3 AS v FROM range({ROWS})")
    template = maker.run("SELECT min(data_file_id) FROM __ducklake_metadata_lake.ducklake_data_file", values=True)["values"][0][0]
    maker.close()
    if server:
        for statement in [*statements(files, template), "VACUUM ANALYZE"]:
            running.sql(statement, database)
    else:
        with sqlite3.connect(folder / "catalog.sqlite") as catalog:
            for statement in statements(files, template):
                catalog.execute(statement)
    existing = next((folder / "data").rglob("*.parquet"))
    numbers = [files * part // 23 + 1 for part in range(1, 22)]
    for number in numbers:
        existing.with_name(f"ducklake-01990000-0000-7000-8000-{number:012}.parquet").hardlink_to(existing)
    return server, [ROWS * number + 5 for number in numbers]


def point_query(key):
    return f"SELECT count(*), sum(v) FROM lake.t WHERE id = {key}"


def measure(build, folder, server, keys, runs):
    """Medians of seconds by name, and peak memory, for both clients in turns; whether all answers are equal."""
    kinds = ("reference", "tarn")
    times = {kind: {} for kind in kinds}
    answers = {}
    equal = True
    peak = {}

    def note(kind, name, answer):
        nonlocal equal
        times[kind].setdefault(name, []).append(answer["seconds"])
        equal = answers.setdefault(name, answer["fingerprint"]) == answer["fingerprint"] and equal

    for _ in range(min(runs, 3)):
        for kind in kinds:
            fresh = Contender(kind, build, folder, server=server)
            note(kind, "cold point query", fresh.run(f"ATTACH '{fresh.attach_string()}' AS lake", point_query(keys[0])))
            fresh.close()
    warm = {kind: Contender(kind, build, folder, server=server) for kind in kinds}
    for contender in warm.values():
        contender.run(f"ATTACH '{contender.attach_string()}' AS lake", point_query(keys[0]))
    for run in range(runs):
        for kind in kinds:
            answer = warm[kind].run(point_query(keys[1 + run % (len(keys) - 1)]))
            times[kind].setdefault("warm point query", []).append(answer["seconds"])
    for name, sql in WARM_QUERIES.items():
        for _ in range(min(runs, 3)):
            for kind in kinds:
                note(kind, f"warm {name}", warm[kind].run(sql))
    for kind, contender in warm.items():
        peak[kind] = contender.run("SELECT 1")["peak_kib"]
        contender.close()
    return {kind: {name: statistics.median(values) for name, values in by_name.items()} for kind, by_name in times.items()}, peak, equal


def run(build, folder, sizes, runs, catalogs=("SQLite", "PostgreSQL")):
    fine = True
    with postgres.Server() as running:
        for catalog in catalogs:
            small = {}
            for files in sizes:
                place = folder / f"planning-{catalog}-{files}"
                server, keys = fill(build, place, files, running, f"planning_{files}" if catalog == "PostgreSQL" else None)
                medians, peak, equal = measure(build, place, server, keys, runs)
                fine = fine and equal
                print(f"\n{files:,} files, {catalog}, median of {runs}, milliseconds; ratio = reference / tarn"
                      f"{'' if equal else '; results DIFFER'}")
                for name, seconds in medians["tarn"].items():
                    reference = medians["reference"][name]
                    print(f"{name:>20}: reference {1000 * reference:8.1f}, tarn {1000 * seconds:8.1f}, ratio {reference / seconds:6.2f}")
                print(f"{'peak memory':>20}: reference {peak['reference'] / 1024:8.0f}, tarn {peak['tarn'] / 1024:8.0f} MiB")
                small.setdefault("warm point query", medians["tarn"]["warm point query"])
                print(f"{'warm point query':>20}: {medians['tarn']['warm point query'] / small['warm point query']:.2f} times Tarn's own with {sizes[0]:,} files")
    return fine
