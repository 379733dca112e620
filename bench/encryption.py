"""Rows into an encrypted lake, and scans of it, beside the reference client with the ciphers of httpfs."""

import statistics

from contender import Contender, extension_file

SOURCE = ("SELECT range AS id, (range * 31) % 1000000 / 100 AS amount, 'name ' || (range * 17) % 50000 AS name, "
          "TIMESTAMP '2023-01-01' + INTERVAL ((range * 7919) % 63072000) SECOND AS ts FROM range({rows})")
SCANS = {
    "scan": "SELECT count(id), sum(amount), max(name), max(ts) FROM lake.t",
    "scan of one column": "SELECT sum(amount) FROM lake.t",
}


def run(build, folder, rows, runs):
    contenders = [Contender("reference", build, folder / "encryption-reference", load=[extension_file("httpfs")]),
                  Contender("tarn", build, folder / "encryption-tarn")]
    times = {contender.kind: {name: [] for name in ("load", *SCANS)} for contender in contenders}
    prints = {contender.kind: set() for contender in contenders}
    for contender in contenders:
        contender.attach("ENCRYPTED")
        contender.run(f"CREATE TABLE source AS {SOURCE.format(rows=rows)}")
    for _ in range(runs):
        for contender in contenders:
            times[contender.kind]["load"].append(
                contender.run("CREATE OR REPLACE TABLE lake.t AS FROM source")["seconds"])
    for name, scan in SCANS.items():
        for _ in range(2 * runs):
            for contender in contenders:
                answer = contender.run(scan)
                times[contender.kind][name].append(answer["seconds"])
                prints[contender.kind].add(answer["fingerprint"])
    for contender in contenders:
        contender.close()
    print(f"\nEncrypted: {rows} rows, median of {runs}, seconds; ratio = reference / tarn")
    print(f"{'':>20} {'reference':>9} {'tarn':>9} {'ratio':>6}")
    for name in times["tarn"]:
        reference, own = (statistics.median(times[kind][name]) for kind in ("reference", "tarn"))
        print(f"{name:>20} {reference:>9.3f} {own:>9.3f} {reference / own:>6.2f}")
    same = prints["tarn"] == prints["reference"]
    print("results: " + ("equal in all rounds" if same else "DIFFER"))
    return same
