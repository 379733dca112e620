"""One contender of a benchmark, in a process of its own: reads requests as JSON lines, answers with times.

A process holds one client only (plain DuckDB, the reference, or Tarn), so that the two extensions never meet.
"""

import hashlib
import json
import resource
import sys
import time

import duckdb


def connect(config):
    settings = {"allow_unsigned_extensions": "true", "threads": str(config["threads"])}
    if config.get("memory_limit"):
        settings["memory_limit"] = config["memory_limit"]
        settings["temp_directory"] = config["temp_directory"]
    connection = duckdb.connect(config.get("database", ":memory:"), config=settings)
    for path in config["load"]:
        connection.execute(f"LOAD '{path}'")
    for statement in config["setup"]:
        connection.execute(statement)
    return connection


def fingerprint(rows):
    # Sums of doubles depend on the order of threads: compare them to nine digits.
    text = repr([tuple(f"{v:.9g}" if isinstance(v, float) else str(v) for v in row) for row in rows])
    return hashlib.sha256(text.encode()).hexdigest()


def main():
    config = json.loads(sys.stdin.readline())
    connection = connect(config)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        start = time.perf_counter()
        try:
            rows = []
            for statement in request["sql"]:
                rows = connection.execute(statement).fetchall()
            answer = {
                "seconds": time.perf_counter() - start,
                "rows": len(rows),
                "fingerprint": fingerprint(rows),
                "values": rows if request.get("values") else None,
            }
        except duckdb.Error as error:
            answer = {"error": str(error).splitlines()[0]}
        answer["peak_kib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps(answer, default=str), flush=True)


if __name__ == "__main__":
    main()
