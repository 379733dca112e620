"""A client that commits single rows until it is told to stop, each a transaction of its own; one thread per table.

    committing.py EXTENSION ATTACH_STATEMENT TABLE…

Says "ready", begins at a line on its input and ends at the next. Prints how many rows each thread has committed, the longest
wait in seconds, and every error.
"""

import json
import sys
import threading
import time

import duckdb


def main():
    extension, attach, *tables = sys.argv[1:]
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{extension}'")
    connection.execute(attach)
    over = threading.Event()
    commits, longest, problems = [0] * len(tables), [0.0] * len(tables), []

    def commit(number):
        cursor = connection.cursor()
        while not over.is_set():
            began = time.monotonic()
            try:
                cursor.execute(f"INSERT INTO lake.{tables[number]} VALUES ({commits[number]})")
                commits[number] += 1
            except duckdb.Error as error:
                problems.append(str(error))
            longest[number] = max(longest[number], time.monotonic() - began)

    print("ready", flush=True)
    sys.stdin.readline()
    threads = [threading.Thread(target=commit, args=(number,)) for number in range(len(tables))]
    for thread in threads:
        thread.start()
    sys.stdin.readline()
    over.set()
    for thread in threads:
        thread.join()
    print(json.dumps({"commits": commits, "longest": max(longest), "problems": problems}))


if __name__ == "__main__":
    main()
