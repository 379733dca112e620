"""One of many writers: commits single rows for a while, each a transaction, and tells how long each took.

Reads one JSON line, answers when it is attached, begins when it is told to.
"""

import json
import sys
import time

import duckdb


def main():
    config = json.loads(sys.stdin.readline())
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "1"})
    for path in config["load"]:
        connection.execute(f"LOAD '{path}'")
    connection.execute(config["attach"])
    table, writer = config["table"], config["writer"]
    connection.execute(f"SELECT count(*) FROM lake.{table}").fetchall()
    print(json.dumps({"ready": True}), flush=True)
    start = float(sys.stdin.readline())
    time.sleep(max(0, start - time.time()))
    end = time.perf_counter() + config["seconds"]
    times, failures, i = [], [], 0
    began = time.perf_counter()
    while began < end:
        try:
            connection.execute(f"INSERT INTO lake.{table} VALUES ({writer}, {i}, 'row')")
            times.append(time.perf_counter() - began)
        except duckdb.Error as error:
            failures.append(str(error).splitlines()[0][:300])
        i += 1
        began = time.perf_counter()
    print(json.dumps({"times": times, "failures": failures}), flush=True)


if __name__ == "__main__":
    main()
