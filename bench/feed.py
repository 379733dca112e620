"""The change feed of large changes and of one snapshot among many, and flushes, beside the reference client."""

import pathlib
import statistics
import sys

from commits import new_database
from contender import Contender

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
from harness import postgres  # noqa: E402

KINDS = ("reference", "tarn")
CHANGES = {
    "changes": "SELECT count(*), sum(i), max(s), count(DISTINCT change_type) FROM ducklake_table_changes('lake', 'main', 't', 2, 4)",
    "all, with the load": "SELECT change_type, count(*), sum(x) FROM ducklake_table_changes('lake', 'main', 't', 1, 4) "
                          "GROUP BY ALL ORDER BY ALL",
    "insertions": "SELECT count(*), sum(i), max(s) FROM ducklake_table_insertions('lake', 'main', 't', 1, 4)",
    "deletions": "SELECT count(*), sum(i), max(s) FROM ducklake_table_deletions('lake', 'main', 't', 1, 4)",
}


def open_contenders(build, folder, name, server):
    database = "SQLite" if server is None else "PostgreSQL"
    return database, [Contender(kind, build, folder / f"{name}-{database}-{kind}",
                                server=new_database(server, f"{name.replace('-', '_')}_{kind}") if server else None)
                      for kind in KINDS]


def take_turns(contenders, questions, runs):
    """Medians in milliseconds by question and kind, and the questions that were answered differently."""
    times = {name: {kind: [] for kind in KINDS} for name in questions}
    different = set()
    for _ in range(runs):
        for name, sql in questions.items():
            prints = set()
            for contender in contenders:
                answer = contender.run(sql)
                times[name][contender.kind].append(answer["seconds"] * 1000)
                prints.add(answer["fingerprint"])
            if len(prints) > 1:
                different.add(name)
    return {name: {kind: statistics.median(found) for kind, found in kinds.items()} for name, kinds in times.items()}, different


def show(title, medians, different):
    print(f"\n{title}; milliseconds, medians; ratio = tarn / reference")
    for name, kinds in medians.items():
        theirs, ours = (kinds[kind] for kind in KINDS)
        note = "   answers DIFFER" if name in different else ""
        print(f"{name:>24}: reference {theirs:.1f}, tarn {ours:.1f}, ratio {ours / theirs:.2f}{note}")


def large_changes(build, folder, rows, runs, server=None):
    database, contenders = open_contenders(build, folder, "feed", server)
    for contender in contenders:
        contender.attach()
        contender.run(f"CREATE TABLE lake.t AS SELECT range AS i, range * 3 AS x, 'row ' || range AS s FROM range({rows})",
                      "DELETE FROM lake.t WHERE i % 100 = 3", "UPDATE lake.t SET x = x + 1 WHERE i % 100 = 7",
                      f"MERGE INTO lake.t USING (SELECT range * 100 + 11 AS i FROM range({rows // 100})) AS v ON t.i = v.i "
                      "WHEN MATCHED THEN UPDATE SET x = -t.x WHEN NOT MATCHED THEN INSERT VALUES (v.i, 0, 'new')")
    medians, different = take_turns(contenders, CHANGES, runs)
    for contender in contenders:
        contender.close()
    show(f"{database}: feed of {rows} rows of which 1 % were deleted, updated, merged", medians, different)
    return not different


def one_snapshot(build, folder, snapshots, runs):
    contenders = [Contender(kind, build, folder / f"feed-many-{kind}") for kind in KINDS]
    for contender in contenders:
        contender.run(f"ATTACH '{contender.attach_string()}' AS lake (DATA_PATH '{contender.folder / 'data'}/')",
                      "CREATE TABLE lake.t (i INTEGER, s VARCHAR)")
    medians, different = {}, set()
    done = 0
    for count in (snapshots // 100, snapshots):
        for contender in contenders:
            contender.run(*[f"INSERT INTO lake.t VALUES ({number}, 'row')" for number in range(done, count)])
        done = count
        at = count // 2
        sql = f"SELECT * FROM ducklake_table_changes('lake', 'main', 't', {at}, {at})"
        found, wrong = take_turns(contenders, {f"one of {count}": sql}, runs)
        medians.update(found)
        different |= wrong
    for contender in contenders:
        contender.close()
    show("Feed of one snapshot", medians, different)
    return not different


def flushes(build, folder, batches, runs, server=None):
    database, contenders = open_contenders(build, folder, "flush", server)
    times = {kind: [] for kind in KINDS}
    answers = set()
    for contender in contenders:
        contender.run(f"ATTACH '{contender.attach_string()}' AS lake (DATA_PATH '{contender.folder / 'data'}/', "
                      "DATA_INLINING_ROW_LIMIT 1000)", "CREATE TABLE lake.t (i INTEGER, s VARCHAR, v DOUBLE)")
    for _ in range(runs):
        for contender in contenders:
            contender.run(*[f"INSERT INTO lake.t SELECT range, 'row ' || range, range / 7 FROM range({number * 1000}, "
                            f"{number * 1000 + 1000})" for number in range(batches)], "DELETE FROM lake.t WHERE i % 50 = 3")
            times[contender.kind].append(contender.run("CALL ducklake_flush_inlined_data('lake')")["seconds"] * 1000)
    for contender in contenders:
        answers.add(contender.run("SELECT count(*), sum(i), sum(v), max(s) FROM lake.t")["fingerprint"])
        contender.close()
    show(f"{database}: flush of {batches * 1000} rows, some of them deleted", {"flush": {kind: statistics.median(times[kind]) for kind in KINDS}},
         set() if len(answers) == 1 else {"flush"})
    return len(answers) == 1


def run(build, folder, rows, snapshots, runs):
    fine = one_snapshot(build, folder, snapshots, runs)
    with postgres.Server() as running:
        for server in (None, running):
            fine = large_changes(build, folder, rows, runs, server) and fine
            fine = flushes(build, folder, 100, min(runs, 3), server) and fine
    return fine
