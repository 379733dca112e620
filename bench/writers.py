"""Many writer processes that commit single rows on one lake, beside the reference client."""

import json
import pathlib
import subprocess
import sys
import time

from commits import new_database
from contender import HERE, Contender

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
from harness import postgres  # noqa: E402

# (processes, into one table, milliseconds of delay each way)
CELLS = {"1": (1, False, 0), "8": (8, False, 0), "8shared": (8, True, 0), "64": (64, False, 0), "64shared": (64, True, 0),
         "1far": (1, False, 1), "8far": (8, False, 1), "8sharedfar": (8, True, 1)}
# Processes with tables of their own on a SQLite file
SQLITE_CELLS = {"sqlite": 4, "sqlite16": 16}
NAMES = [*CELLS, *SQLITE_CELLS]


class DelayProxy:
    """A server that is so many milliseconds away."""

    def __init__(self, port, milliseconds):
        self._process = subprocess.Popen([sys.executable, str(HERE / "delay_proxy.py"), str(port), str(milliseconds)],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._process.stdin.close()
        self._process.wait()


def percentile(sorted_times, share):
    return sorted_times[min(len(sorted_times) - 1, int(share * len(sorted_times)))] if sorted_times else 0.0


def write(contender, attach, processes, shared, seconds):
    """What all processes together did, and whether the lake then holds just what they were told is committed."""
    tables = ["shared"] * processes if shared else [f"own_{n}" for n in range(processes)]
    for table in sorted(set(tables)):
        contender.run(f"CREATE OR REPLACE TABLE lake.{table} (w INTEGER, i INTEGER, s VARCHAR)")
    writers = [subprocess.Popen([sys.executable, str(HERE / "writer.py")], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True) for _ in tables]
    for number, (writer, table) in enumerate(zip(writers, tables)):
        config = {"load": contender.load, "attach": attach, "table": table, "writer": number, "seconds": seconds}
        writer.stdin.write(json.dumps(config) + "\n")
        writer.stdin.flush()
    for writer in writers:
        if not writer.stdout.readline():
            raise SystemExit(f"A writer of {contender.kind} died.")
    start = time.time() + 0.3
    for writer in writers:
        writer.stdin.write(f"{start}\n")
        writer.stdin.flush()
    answers = [json.loads(writer.communicate()[0]) for writer in writers]
    elapsed = time.time() - start
    times = sorted(t for answer in answers for t in answer["times"])
    failures = [f for answer in answers for f in answer["failures"]]
    rows = sum(contender.run(f"SELECT count(*) FROM lake.{table}", values=True)["values"][0][0]
               for table in sorted(set(tables)))
    return {"rate": len(times) / elapsed, "commits": len(times), "failed": len(failures), "p50": percentile(times, 0.5),
            "p99": percentile(times, 0.99), "max": times[-1] if times else 0.0, "rows": rows,
            "fewest": min(len(answer["times"]) for answer in answers), "why": failures[:1]}


def show(kind, result):
    print(f"    {kind:>9}: {result['rate']:7.1f} commits/s, {result['failed']} failed, p50 {1000 * result['p50']:.1f} ms, "
          f"p99 {1000 * result['p99']:.1f} ms, longest {1000 * result['max']:.0f} ms, fewest of a writer "
          f"{result['fewest']}{'' if result['rows'] == result['commits'] else ', ROWS DIFFER: %d of %d' % (result['rows'], result['commits'])}"
          f"{'; ' + result['why'][0][:160] if result['why'] else ''}", flush=True)


def side_by_side(contenders, attaches, processes, shared, seconds):
    results = {}
    for contender in contenders:
        results[contender.kind] = write(contender, attaches[contender.kind], processes, shared, seconds)
        show(contender.kind, results[contender.kind])
    if len(results) == 2 and results["reference"]["rate"] > 0:
        print(f"        ratio: {results['tarn']['rate'] / results['reference']['rate']:.1f}", flush=True)
    # What the reference loses is shown and not ours to fail for.
    return "tarn" not in results or (results["tarn"]["failed"] == 0 and results["tarn"]["rows"] == results["tarn"]["commits"])


def on_postgres(build, folder, kinds, cells, seconds):
    fine = True
    with postgres.Server(durable=True) as server:
        databases = {kind: new_database(server, f"writers_{kind}") for kind in kinds}
        contenders = [Contender(kind, build, folder / f"writers-postgres-{kind}", server=databases[kind]) for kind in kinds]
        for contender in contenders:
            contender.run(contender.attach_statement())
        for processes, shared, delay in cells:
            print(f"  {processes} on PostgreSQL, {'one table' if shared else 'own tables'}"
                  f"{f', {2 * delay} ms away' if delay else ''}", flush=True)
            with DelayProxy(server.port, delay) as proxy:
                attaches = {c.kind: c.attach_statement() for c in contenders}
                if delay:
                    attaches = {kind: text.replace(f"port={server.port}", f"port={proxy.port}") for kind, text in attaches.items()}
                fine = side_by_side(contenders, attaches, processes, shared, seconds) and fine
        for contender in contenders:
            contender.close()
    return fine


def on_sqlite(build, folder, kinds, cells, seconds):
    contenders = [Contender(kind, build, folder / f"writers-sqlite-{kind}") for kind in kinds]
    for contender in contenders:
        contender.run(contender.attach_statement())
    fine = True
    for processes in cells:
        print(f"  {processes} on SQLite, own tables", flush=True)
        attaches = {c.kind: c.attach_statement() for c in contenders}
        fine = side_by_side(contenders, attaches, processes, False, seconds) and fine
    for contender in contenders:
        contender.close()
    return fine


def run(build, folder, seconds, kinds, names):
    print(f"\nWriter processes with single-row transactions, {seconds:g} s each; PostgreSQL waits for its disk (fsync = on), "
          "rows stay in the catalog as by default; ratio = tarn / reference", flush=True)
    fine = True
    if cells := [CELLS[name] for name in names if name in CELLS]:
        fine = on_postgres(build, folder, kinds, cells, seconds)
    if cells := [SQLITE_CELLS[name] for name in names if name in SQLITE_CELLS]:
        fine = on_sqlite(build, folder, kinds, cells, seconds) and fine
    return fine
