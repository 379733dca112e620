"""Merging many small files and rewriting a large one with deleted rows, beside the reference client."""

import statistics

from contender import Contender
from feed import show

KINDS = ("reference", "tarn")
CHECK = "SELECT count(*), sum(i), max(s), sum(x), count(DISTINCT rowid) FROM lake.t"


def measure(build, folder, title, prepare, call, runs):
    """Each run on a table made anew; milliseconds of the call, and whether both end with the same rows."""
    contenders = [Contender(kind, build, folder / f"{title.split()[0]}-{kind}") for kind in KINDS]
    times = {kind: [] for kind in KINDS}
    answers = set()
    for contender in contenders:
        contender.attach()
    for _ in range(runs):
        for contender in contenders:
            contender.run("CREATE OR REPLACE TABLE lake.t (i BIGINT, x DOUBLE, s VARCHAR)", *prepare)
            times[contender.kind].append(contender.run(call)["seconds"] * 1000)
            answers.add(contender.run(CHECK)["fingerprint"])
    for contender in contenders:
        contender.close()
    show(title, {"time": {kind: statistics.median(times[kind]) for kind in KINDS}}, set() if len(answers) == 1 else {"time"})
    return len(answers) == 1


def run(build, folder, rows, files, runs):
    rows_of = "SELECT range, range / 7, 'row ' || range FROM range"
    small = ["BEGIN", *(f"INSERT INTO lake.t {rows_of}({number * 10}, {number * 10 + 10})" for number in range(files)), "COMMIT"]
    fine = measure(build, folder, f"Merge of {files} small files", small, "CALL ducklake_merge_adjacent_files('lake', 't')", runs)
    large = [f"INSERT INTO lake.t {rows_of}({rows})", "DELETE FROM lake.t WHERE i % 100 = 7"]
    return measure(build, folder, f"Rewrite of {rows} rows, 1 % of them deleted", large,
                   "CALL ducklake_rewrite_data_files('lake', 't', delete_threshold => 0)", runs) and fine
