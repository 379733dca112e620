"""Single-row transactions of one writer, on SQLite and on PostgreSQL, beside the reference client."""

import pathlib
import sys

from contender import Contender

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
from harness import postgres  # noqa: E402

ROUNDS = 3


def new_database(server, name):
    """The connection string of an empty database."""
    server.sql(f"CREATE DATABASE {name}")
    return f"{server.dsn} dbname={name}"


def measure(build, folder, commits, server):
    """Commits per second of both, the best of the rounds; they take turns."""
    kinds = ("reference", "tarn")
    databases = {kind: new_database(server, f"commits_{kind}") if server else None for kind in kinds}
    contenders = [Contender(kind, build, folder / f"commits-{'postgres' if server else 'sqlite'}-{kind}",
                            server=databases[kind]) for kind in kinds]
    rates = {kind: [] for kind in kinds}
    for contender in contenders:
        contender.attach()
        contender.run("CREATE TABLE lake.t (i INTEGER, s VARCHAR)")
    for _ in range(ROUNDS):
        for contender in contenders:
            answer = contender.run(*[f"INSERT INTO lake.t VALUES ({i}, 'row')" for i in range(commits)])
            rates[contender.kind].append(commits / answer["seconds"])
    counts = {contender.run("SELECT count(*) FROM lake.t")["fingerprint"] for contender in contenders}
    for contender in contenders:
        contender.close()
    return {kind: max(values) for kind, values in rates.items()}, len(counts) == 1


def run(build, folder, commits):
    print(f"\nSingle-row transactions of one writer, inlining off, best of {ROUNDS} rounds of {commits}, per second; "
          "ratio = tarn / reference")
    fine = True
    for name in ("SQLite", "PostgreSQL"):
        if name == "SQLite":
            rates, equal = measure(build, folder, commits, None)
        else:
            with postgres.Server() as server:
                rates, equal = measure(build, folder, commits, server)
        fine = fine and equal
        print(f"{name:>12}: reference {rates['reference']:.0f}, tarn {rates['tarn']:.0f}, "
              f"ratio {rates['tarn'] / rates['reference']:.2f}{'' if equal else ', row counts DIFFER'}")
    return fine
