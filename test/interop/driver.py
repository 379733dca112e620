"""One client in one process, told what to do line by line: a JSON request on stdin, a JSON answer on stdout.

The first line says which client to be. Each further line is {"sql": …, "connection": name or null}; the answer is
{"names": …, "rows": …} or {"error": …}, every value as DuckDB prints it.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness import clients, duck  # noqa: E402


def main():
    database = clients.Client(**json.loads(sys.stdin.readline())).open()
    connections = {}
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        name = request["connection"]
        if name not in connections:
            connections[name] = database.connect()
        try:
            result = connections[name].execute(request["sql"])
            answer = {"names": result.names, "rows": result.rows}
        except duck.SqlError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)
    database.close()


if __name__ == "__main__":
    main()
