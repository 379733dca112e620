"""DELETE, UPDATE and MERGE of one percent of a table, and an aggregate over its deletes, beside the reference client."""

import statistics

from contender import Contender

# Rows that a step takes are spread over the whole table; no row is taken twice in one round.
STEPS = {
    "delete 1 %": "DELETE FROM lake.t WHERE i % 100 = 3",
    "update 1 %": "UPDATE lake.t SET x = x + 1, s = s || 'u' WHERE i % 100 = 7",
    "merge 1 %": "MERGE INTO lake.t USING (SELECT range * 100 + 11 AS i FROM range({share})) AS v ON t.i = v.i "
                 "WHEN MATCHED THEN UPDATE SET x = -t.x WHEN NOT MATCHED THEN INSERT VALUES (v.i, 0, 'new')",
    "aggregate over deletes": "SELECT count(*), sum(x), max(s) FROM lake.t",
}


def run(build, folder, rows, runs):
    contenders = [Contender(kind, build, folder / f"changes-{kind}") for kind in ("reference", "tarn")]
    times = {contender.kind: {name: [] for name in STEPS} for contender in contenders}
    wrong = []
    for contender in contenders:
        contender.attach()
    for _ in range(runs):
        for contender in contenders:
            contender.run("CREATE OR REPLACE TABLE lake.t AS SELECT range AS i, range * 3 AS x, 'row ' || range AS s "
                          f"FROM range({rows})")
        for name, sql in STEPS.items():
            prints = set()
            for contender in contenders:
                answer = contender.run(sql.format(share=rows // 100))
                times[contender.kind][name].append(answer["seconds"])
                prints.add(answer["fingerprint"])
            if len(prints) > 1:
                wrong.append(name)
    for contender in contenders:
        contender.close()
    print(f"\nChanges of {rows} rows, median of {runs}, seconds; ratio = reference / tarn")
    print(f"{'':>24} {'reference':>9} {'tarn':>9} {'ratio':>6}")
    for name in STEPS:
        reference, tarn = (statistics.median(times[kind][name]) for kind in ("reference", "tarn"))
        print(f"{name:>24} {reference:>9.3f} {tarn:>9.3f} {reference / tarn:>6.2f}")
    print("results: " + (f"DIFFER in {sorted(set(wrong))}" if wrong else "equal in all rounds"))
    return not wrong
