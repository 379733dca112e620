"""Rows into partitions by year, month and region, and a query of one partition, beside the reference client."""

import statistics

from contender import Contender

SOURCE = ("SELECT TIMESTAMP '2023-01-01' + INTERVAL ((range * 7919) % 63072000) SECOND AS ts, (range % 4)::INTEGER AS region, "
          "range AS id, (range * 31) % 1000000 / 100 AS amount, 'name ' || (range * 17) % 50000 AS name FROM range({rows})")
INSERT = "INSERT INTO lake.t FROM source"
QUERY = ("SELECT count(*), sum(amount), max(name) FROM lake.t WHERE ts >= '2024-03-01' AND ts < '2024-04-01' AND region = 2")
MANY = "INSERT INTO lake.many SELECT (range * 7919) % 10000, range FROM range({rows})"


def run(build, folder, rows, runs):
    contenders = [Contender(kind, build, folder / f"partitions-{kind}") for kind in ("reference", "tarn")]
    times = {contender.kind: {"insert, 96 partitions": [], "one partition": []} for contender in contenders}
    prints = {contender.kind: set() for contender in contenders}
    for contender in contenders:
        contender.attach()
        contender.run(f"CREATE TABLE source AS {SOURCE.format(rows=rows)}")
    for _ in range(runs):
        for contender in contenders:
            contender.run("CREATE OR REPLACE TABLE lake.t AS FROM source WITH NO DATA",
                          "ALTER TABLE lake.t SET PARTITIONED BY (year(ts), month(ts), region)")
            times[contender.kind]["insert, 96 partitions"].append(contender.run(INSERT)["seconds"])
    for _ in range(4 * runs):
        for contender in contenders:
            answer = contender.run(QUERY)
            times[contender.kind]["one partition"].append(answer["seconds"])
            prints[contender.kind].add(answer["fingerprint"])
    tarn = contenders[1]
    tarn.run("CREATE TABLE lake.many (p INTEGER, v BIGINT)", "ALTER TABLE lake.many SET PARTITIONED BY (p)")
    before = tarn.run("SELECT 1")["peak_kib"] // 1024
    many = tarn.run(MANY.format(rows=rows))
    peak = many["peak_kib"] // 1024
    for contender in contenders:
        contender.close()
    print(f"\nPartitions: {rows} rows, median of {runs}, seconds; ratio = reference / tarn")
    print(f"{'':>24} {'reference':>9} {'tarn':>9} {'ratio':>6}")
    for name in times["tarn"]:
        reference, own = (statistics.median(times[kind][name]) for kind in ("reference", "tarn"))
        print(f"{name:>24} {reference:>9.3f} {own:>9.3f} {reference / own:>6.2f}")
    print(f"{'10,000 partitions':>24} {'':>9} {many['seconds']:>9.3f}        peak memory {before} -> {peak} MiB")
    same = prints["tarn"] == prints["reference"] and len(prints["tarn"]) == 1
    print("results: " + ("equal in all rounds" if same else "DIFFER"))
    return same
