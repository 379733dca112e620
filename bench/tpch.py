"""TPC-H: 22 queries over the lake beside the same rows in plain Parquet files, and the bulk load of lineitem."""

import math
import statistics

from contender import Contender, extension_file

TABLES = ["lineitem", "orders", "partsupp", "part", "customer", "supplier", "nation", "region"]


def prepare(folder, scale):
    """Generates the data once, as one plain Parquet file per table."""
    source = folder / f"tpch-{scale}"
    if not (source / "done").exists():
        source.mkdir(parents=True, exist_ok=True)
        maker = Contender("plain", None, folder / "maker", load=[extension_file("tpch")])
        maker.run(f"CALL dbgen(sf => {scale})")
        for table in TABLES:
            maker.run(f"COPY {table} TO '{source / table}.parquet' (FORMAT parquet)")
        maker.close()
        (source / "done").touch()
    return source


def queries(folder):
    reader = Contender("plain", None, folder, load=[extension_file("tpch")])
    rows = reader.run("SELECT query_nr, query FROM tpch_queries() ORDER BY query_nr", values=True)["values"]
    reader.close()
    return [(number, text) for number, text in rows]


def run_queries(build, folder, scale, runs):
    source = prepare(folder, scale)
    texts = queries(folder / "maker")
    contenders = [Contender("plain", build, folder / "plain"),
                  Contender("reference", build, folder / "reference"),
                  Contender("tarn", build, folder / "tarn")]
    for contender in contenders:
        for table in TABLES:
            rows = f"SELECT * FROM '{source / table}.parquet'"
            if contender.kind == "plain":
                contender.run(f"CREATE VIEW {table} AS {rows}")
                continue
            if table == TABLES[0]:
                contender.attach()
                contender.run("USE lake")
            contender.run(f"CREATE TABLE {table} AS {rows}")
    times = {contender.kind: {number: [] for number, _ in texts} for contender in contenders}
    wrong = []
    for round_number in range(runs + 1):  # the first round warms up and compares results
        for number, text in texts:
            prints = {}
            for contender in contenders:
                answer = contender.run(text)
                prints[contender.kind] = answer["fingerprint"]
                if round_number > 0:
                    times[contender.kind][number].append(answer["seconds"])
            if len(set(prints.values())) > 1:
                wrong.append(number)
    for contender in contenders:
        contender.close()

    median = {kind: {n: statistics.median(v) for n, v in by_query.items()} for kind, by_query in times.items()}
    print(f"\nTPC-H scale {scale}, median of {runs}, milliseconds; ratio = plain Parquet / lake (1.0: no overhead)")
    print(f"{'query':>5} {'plain':>9} {'reference':>9} {'tarn':>9} {'ref ratio':>9} {'tarn ratio':>10}")
    ratios = {"reference": [], "tarn": []}
    for number, _ in texts:
        plain, reference, tarn = (median[kind][number] for kind in ("plain", "reference", "tarn"))
        ratios["reference"].append(plain / reference)
        ratios["tarn"].append(plain / tarn)
        print(f"{number:>5} {plain * 1e3:>9.1f} {reference * 1e3:>9.1f} {tarn * 1e3:>9.1f} "
              f"{plain / reference:>9.2f} {plain / tarn:>10.2f}")
    for kind, values in ratios.items():
        total = sum(median["plain"].values()) / sum(median[kind].values())
        geometric = math.exp(sum(map(math.log, values)) / len(values))
        print(f"{kind:>10}: median ratio {statistics.median(values):.3f}, geometric mean {geometric:.3f}, "
              f"of total time {total:.3f}")
    print("results: " + (f"DIFFER in queries {sorted(set(wrong))}" if wrong else "equal in all rounds"))
    return not wrong


def run_load(build, folder, scale, runs):
    source = prepare(folder, scale)
    rows = f"SELECT * FROM '{source}/lineitem.parquet'"
    contenders = [Contender("plain", build, folder / "load-plain"),
                  Contender("reference", build, folder / "load-reference"),
                  Contender("tarn", build, folder / "load-tarn")]
    times = {contender.kind: [] for contender in contenders}
    for contender in contenders[1:]:
        contender.attach()
    for round_number in range(runs + 1):
        for contender in contenders:
            if contender.kind == "plain":
                answer = contender.run(f"COPY ({rows}) TO '{contender.folder}/out.parquet' (FORMAT parquet)")
            else:
                answer = contender.run(f"CREATE OR REPLACE TABLE lake.lineitem AS {rows}")
            if round_number > 0:
                times[contender.kind].append(answer["seconds"])
    for contender in contenders:
        contender.close()
    print(f"\nBulk load of lineitem, scale {scale}, {runs} rounds; ratio = COPY TO / load, pair by pair")
    for kind, values in times.items():
        ratio = statistics.median(p / v for p, v in zip(times["plain"], values))
        print(f"{kind:>10}: median {statistics.median(values):.2f} s, ratio {ratio:.3f}")
    return True
